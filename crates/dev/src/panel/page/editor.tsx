// The texts of one route.
import type { FormEvent, RefObject } from "react";
import { SocialCard } from "portalgen:panel/card";
import { keysOf, type RouteDrafts } from "portalgen:panel/drafts";
import { Field } from "portalgen:panel/field";
import { Findings } from "portalgen:panel/findings";
import { useWords } from "portalgen:panel/language";
import type { Key, Language, List, Route, RouteText } from "portalgen:panel/protocol";
import { SearchResult } from "portalgen:panel/result";
import { type Panel, useJudgement } from "portalgen:panel/state";

interface Props {
  list: List;
  route: Route;
  drafts: RouteDrafts;
  panel: Panel;
  language: Language;
  heading: RefObject<HTMLHeadingElement | null>;
}

export function Editor({ list, route, drafts, panel, language, heading }: Props) {
  const words = useWords();
  const judged = useJudgement(route, drafts, language);
  const said = (key: Key): RouteText => (drafts[key] && judged[key]) || route[key] || route.title;
  const texts = { route, title: said("title"), description: said("description") };
  return (
    <>
      <Head route={route} heading={heading} />
      {route.kind === "retired" && <p>{words.retired}</p>}
      {route.kind === "not-found" && <p>{words.notFound}</p>}
      {route.findings.length > 0 && (
        <section aria-label={words.about}>
          <Findings findings={route.findings} showPlace />
        </section>
      )}
      {keysOf(route).length > 0 && <Form list={list} route={route} drafts={drafts} panel={panel} said={said} />}
      {route.kind === "page" && (
        <div className="previews">
          <SearchResult list={list} {...texts} />
          <SocialCard {...texts} />
        </div>
      )}
    </>
  );
}

function Head({ route, heading }: Pick<Props, "route" | "heading">) {
  const words = useWords();
  return (
    <div className="head">
      <h2 ref={heading} tabIndex={-1}>
        {route.path}
      </h2>
      {route.file && <code>{route.file}</code>}
      {route.address && (
        <a href={route.address} target="_blank" rel="noreferrer">
          {words.open}
        </a>
      )}
    </div>
  );
}

interface FormProps extends Pick<Props, "list" | "route" | "drafts" | "panel"> {
  /** What is said of a text. */
  said: (key: Key) => RouteText;
}

function Form({ list, route, drafts, panel, said }: FormProps) {
  const save = () => panel.save(route);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save();
  };
  return (
    <form onSubmit={submit} noValidate>
      {keysOf(route).map((key) => (
        <Field
          key={key}
          name={key}
          route={route}
          draft={drafts[key]}
          said={said(key)}
          room={key === "redirect" ? undefined : list.rooms[key]}
          type={(text) => panel.type(route, key, text)}
          save={save}
        />
      ))}
      <Ending route={route} drafts={drafts} panel={panel} />
    </form>
  );
}

/** The buttons, and why nothing was saved. */
function Ending({ route, drafts, panel }: Pick<Props, "route" | "drafts" | "panel">) {
  const words = useWords();
  const { notice, isBusy } = panel;
  const isEdited = Object.keys(drafts).length > 0;
  const refused = notice?.refused?.path === route.path ? notice.refused.findings : [];
  return (
    <div>
      <div className="actions">
        {/* Buttons that are disabled, or gone, would lose the focus. */}
        <button type="submit" className="main" aria-disabled={!isEdited || isBusy}>
          {isBusy ? words.saving : words.save}
        </button>
        <button type="button" aria-disabled={!isEdited} onClick={() => panel.discard(route.path)}>
          {words.discard}
        </button>
      </div>
      <div role="alert">
        {refused.length > 0 && (
          <div className="refused">
            <p>{words.refused}</p>
            <Findings findings={refused} />
          </div>
        )}
      </div>
    </div>
  );
}
