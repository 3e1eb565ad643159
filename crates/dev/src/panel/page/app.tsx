// The panel: routes beside the one that is edited.
import { useEffect, useRef, useSyncExternalStore } from "react";
import { Editor } from "portalgen:panel/editor";
import { Findings } from "portalgen:panel/findings";
import { useLanguage, Words } from "portalgen:panel/language";
import { pathIn, RouteList } from "portalgen:panel/list";
import { sentencesIn } from "portalgen:panel/sentences";
import { usualLanguage } from "portalgen:panel/server";
import { usePanel } from "portalgen:panel/state";
import { Toolbar } from "portalgen:panel/toolbar";

export function App() {
  const [language, changeLanguage] = useLanguage(usualLanguage);
  const words = sentencesIn(language);
  const panel = usePanel(language);
  const path = pathIn(useSyncExternalStore(watchHash, () => location.hash));
  const heading = useRef<HTMLHeadingElement>(null);
  const { list, drafts, notice } = panel;
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
            <div role="alert">
              {list.broken.length > 0 && (
                <div className="broken">
                  <p>{words.broken}</p>
                  <Findings findings={list.broken} showPlace />
                </div>
              )}
              {notice?.refused && notice.refused.path === undefined && (
                <div className="refused">
                  <p>{words.notUndone}</p>
                  <Findings findings={notice.refused.findings} />
                </div>
              )}
            </div>
            {route ? (
              <Editor key={route.path} list={list} route={route} drafts={drafts[route.path] ?? {}} panel={panel} language={language} heading={heading} />
            ) : (
              <p className="choose">{list.routes.length === 0 ? words.empty : path ? words.gone(path) : words.choose}</p>
            )}
            {list.general.length > 0 && (
              <section className="general">
                <h2>{words.general}</h2>
                <Findings findings={list.general} showPlace />
              </section>
            )}
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
