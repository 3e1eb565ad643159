// One text of a route: where it is typed, how wide it is, and what is wrong with it.
import { type KeyboardEvent, useId } from "react";
import { type Draft, isOvertaken, writtenOf } from "portalgen:panel/drafts";
import { Findings } from "portalgen:panel/findings";
import { useWords } from "portalgen:panel/language";
import type { Key, Route, RouteText, Space } from "portalgen:panel/protocol";

interface Props {
  route: Route;
  name: Key;
  draft: Draft | undefined;
  /** What is said of the draft, or of what stands in the file. */
  said: RouteText & { refused?: boolean };
  room: Space | undefined;
  type: (text: string) => void;
  save: () => void;
}

export function Field({ route, name, draft, said, room, type, save }: Props) {
  const words = useWords();
  const id = useId();
  const written = writtenOf(route, name);
  const overtaken = isOvertaken(route, name, draft);
  const properties = {
    id,
    name,
    value: draft?.text ?? written ?? "",
    lang: name === "redirect" ? "en" : route.lang,
    // What shows as long as nothing is written.
    placeholder: written === null ? said.shown : "",
    "aria-describedby": [`${id}-hint`, `${id}-width`, `${id}-said`].join(" "),
    "aria-invalid": said.refused === true,
    spellCheck: name !== "redirect",
  };
  const take = () => {
    type(written ?? "");
    // The button goes away.
    document.getElementById(id)?.focus();
  };
  return (
    <div className={draft ? "field edited" : "field"}>
      <label htmlFor={id}>{words.keys[name]}</label>
      <p className="help" id={`${id}-hint`}>
        {words.hints[name]}
      </p>
      {name === "description" ? (
        // It wraps, but has no lines of its own.
        <textarea
          {...properties}
          rows={3}
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => saveOnEnter(event, save)}
        />
      ) : (
        <input {...properties} type="text" autoComplete="off" onChange={(event) => type(event.target.value)} />
      )}
      <p className="width" id={`${id}-width`}>
        {room && <Width width={said.width} room={room.inResults} />}
      </p>
      <div className="said" id={`${id}-said`} aria-live="polite">
        {overtaken && (
          <div className="overtaken">
            <p>{written === null ? words.overtakenEmpty : words.overtaken}</p>
            {written !== null && <q lang={properties.lang}>{written}</q>}{" "}
            <button type="button" onClick={take}>
              {words.take}
            </button>
          </div>
        )}
        <Findings findings={said.findings} />
      </div>
    </div>
  );
}

function Width({ width, room }: { width: number; room: number }) {
  const words = useWords();
  const isTooWide = width > room;
  return (
    <>
      <span className={isTooWide ? "bar wide" : "bar"} aria-hidden="true">
        <span style={{ width: `${Math.min(100, (100 * width) / room)}%` }} />
      </span>
      <span title={words.columns}>{isTooWide ? words.tooWide(width, room) : words.width(width, room)}</span>
    </>
  );
}

function saveOnEnter(event: KeyboardEvent, save: () => void) {
  // Input methods end a word with the same key.
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  event.preventDefault();
  save();
}
