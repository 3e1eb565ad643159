// What concerns the panel as a whole: its name, undo, what came of the last wish, and the language.
import { useWords } from "portalgen:panel/language";
import type { Panel } from "portalgen:panel/state";

export function Toolbar({ panel, changeLanguage }: { panel: Panel; changeLanguage: () => void }) {
  const words = useWords();
  const { list, notice, isAway, isBusy } = panel;
  const next = list?.undo?.map(words.change).join(", ");
  const undo = next ? words.undoing(next) : words.undo;
  return (
    <header>
      <h1>{words.name}</h1>
      <p role="status" className={notice?.refused ? "notice bad" : "notice"}>
        {isAway ? words.away : notice?.text}
      </p>
      <div className="tools">
        <button type="button" onClick={panel.undo} aria-disabled={!next || isBusy} aria-label={undo} title={undo}>
          {words.undo}
        </button>
        <button type="button" onClick={changeLanguage} lang={words.switch === "English" ? "en" : "zh-CN"}>
          {words.switch}
        </button>
      </div>
    </header>
  );
}
