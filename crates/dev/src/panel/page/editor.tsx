// The texts of one route.
import { type FormEvent, type RefObject } from "react";
import { keysOf, type RouteDrafts } from "portalgen:panel/drafts";
import { SocialCard } from "portalgen:panel/card";
import { Field } from "portalgen:panel/field";
import { Findings } from "portalgen:panel/findings";
import { useWords } from "portalgen:panel/language";
import type { Key, Language, List, Route } from "portalgen:panel/protocol";
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
  const said = (key: Key) => (drafts[key] && judged[key]) || route[key] || route.title;
  const keys = keysOf(route);
  const save = () => panel.save(route);
  const { notice } = panel;
  const refused = notice?.refused?.path === route.path ? notice.refused.findings : [];
  const isEdited = Object.keys(drafts).length > 0;
  const previews = { list, route, title: said("title"), description: said("description") };
  return (
    <>
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
      {route.kind === "retired" && <p>{words.retired}</p>}
      {route.kind === "not-found" && <p>{words.notFound}</p>}
      {route.findings.length > 0 && (
        <section aria-label={words.about}>
          <Findings findings={route.findings} showPlace />
        </section>
      )}
      {keys.length > 0 && (
        <form onSubmit={(event) => submit(event, save)} noValidate>
          {keys.map((key) => (
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
          <div>
          <div className="actions">
            {/* A button that is disabled would lose the focus. */}
            <button type="submit" className="main" aria-disabled={!isEdited || panel.isBusy}>
              {panel.isBusy ? words.saving : words.save}
            </button>
            {isEdited && (
              <button type="button" onClick={() => panel.discard(route.path)}>
                {words.discard}
              </button>
            )}
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
        </form>
      )}
      {route.kind === "page" && (
        <div className="previews">
          <SearchResult {...previews} />
          <SocialCard {...previews} />
        </div>
      )}
    </>
  );
}

function submit(event: FormEvent, save: () => void) {
  event.preventDefault();
  save();
}
