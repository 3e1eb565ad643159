// The panel: routes beside the one that is edited.
import { useEffect, useRef, useSyncExternalStore } from "react";
import { Editor } from "portalgen:panel/editor";
import { Findings } from "portalgen:panel/findings";
import { useLanguage, useWords, Words } from "portalgen:panel/language";
import { pathIn, RouteList } from "portalgen:panel/list";
import type { Finding, List } from "portalgen:panel/protocol";
import { sentencesIn } from "portalgen:panel/sentences";
import { usualLanguage } from "portalgen:panel/server";
import { type Notice, usePanel } from "portalgen:panel/state";
import { Toolbar } from "portalgen:panel/toolbar";

export function App() {
  const [language, changeLanguage] = useLanguage(usualLanguage);
  const words = sentencesIn(language);
  const panel = usePanel(language);
  const path = pathIn(useSyncExternalStore(watchHash, () => location.hash));
  const heading = useRef<HTMLHeadingElement>(null);
  const { list, drafts } = panel;
  const route = list?.routes.find((route) => route.path === path);
  useKeys({ save: () => route && panel.save(route), undo: panel.undo });
  // The editor may not be there yet.
  const choose = () => requestAnimationFrame(() => requestAnimationFrame(() => heading.current?.focus()));
  return (
    <Words.Provider value={words}>
      <Toolbar panel={panel} changeLanguage={changeLanguage} />
      {list ? (
        <div className="columns">
          <RouteList routes={list.routes} drafts={drafts} selected={path} choose={choose} />
          <main>
            <Alerts list={list} notice={panel.notice} />
            {route ? (
              <Editor key={route.path} {...{ list, route, panel, language, heading }} drafts={drafts[route.path] ?? none} />
            ) : (
              <p className="choose">{list.routes.length === 0 ? words.empty : path ? words.gone(path) : words.choose}</p>
            )}
            <General findings={list.general} />
          </main>
        </div>
      ) : (
        <main>
          <p className="choose">{words.loading}</p>
        </main>
      )}
    </Words.Provider>
  );
}

/** No drafts. */
const none = {};

/** What is wrong with the file, and why nothing was undone. */
function Alerts({ list, notice }: { list: List; notice: Notice | undefined }) {
  const words = useWords();
  const refused = notice?.refused;
  return (
    <div role="alert">
      {list.broken.length > 0 && (
        <div className="broken">
          <p>{words.broken}</p>
          <Findings findings={list.broken} showPlace />
        </div>
      )}
      {refused && refused.path === undefined && (
        <div className="refused">
          <p>{words.notUndone}</p>
          <Findings findings={refused.findings} />
        </div>
      )}
    </div>
  );
}

function General({ findings }: { findings: Finding[] }) {
  const words = useWords();
  if (findings.length === 0) return null;
  return (
    <section className="general">
      <h2>{words.general}</h2>
      <Findings findings={findings} showPlace />
    </section>
  );
}

function watchHash(changed: () => void): () => void {
  addEventListener("hashchange", changed);
  return () => removeEventListener("hashchange", changed);
}

/** Ctrl or Cmd with S saves. With Z it undoes what was saved, except where it undoes what was typed. */
function useKeys(actions: { save: () => void; undo: () => void }) {
  const current = useRef(actions);
  current.current = actions;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      if (key === "s") current.current.save();
      else if (key === "z" && !isTyping) current.current.undo();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
