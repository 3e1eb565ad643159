// A few lines of source code, with a mark.
import type { Excerpt } from "../protocol";
import type { Sentences } from "../sentences";
import { make } from "./dom";

/** Characters that take two columns. */
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

/** Shows an excerpt. It scrolls in itself, and can be reached by keyboard for that. */
export function excerptOf(excerpt: Excerpt, file: string, sentences: Sentences): HTMLElement {
  const rows = excerpt.lines.flatMap((line, index) => rowsOf(excerpt, line, excerpt.line + index, sentences));
  const label = sentences.code(file);
  const code = make("div", { class: "code", tabindex: "0", role: "group", "aria-label": label }, make("pre", {}, ...rows));
  code.style.setProperty("--digits", String(String(excerpt.line + excerpt.lines.length - 1).length));
  return code;
}

function rowsOf({ from, to }: Excerpt, line: string, number: number, { marked }: Sentences): HTMLElement[] {
  const isMarked = number >= from.line && number <= to.line;
  if (!isMarked) return [row("line", String(number), line)];
  // Columns count characters, of which some are two units of a string.
  const characters = [...line];
  const start = number === from.line ? from.column - 1 : 0;
  const end = number === to.line ? Math.max(to.column - 1, start) : characters.length;
  const [before, inside, after] = [characters.slice(0, start), characters.slice(start, end), characters.slice(end)];
  const hint = make("span", { class: "unseen" }, number === from.line ? marked : "");
  const mark = make("mark", {}, inside.join(""));
  const code = row("line marked", String(number), before.join(""), hint, inside.length ? mark : "", after.join(""));
  return from.line === to.line ? [code, caretRow(before, inside)] : [code];
}

function row(kind: string, number: string, ...parts: (Node | string)[]): HTMLElement {
  // The line end makes the copied text one line for each row.
  return make("span", { class: kind }, make("span", { class: "number", "data-number": number }), ...parts, "\n");
}

/** Carets below the mark. What stands before it takes the same room here, whatever is as wide as it is. */
function caretRow(before: string[], inside: string[]): HTMLElement {
  const width = inside.reduce((sum, character) => sum + (wide.test(character) ? 2 : 1), 0);
  const caret = make("span", { class: "caret", "data-carets": "^".repeat(Math.max(width, 1)) });
  const line = make("span", { class: "line carets", "aria-hidden": "true" });
  line.append(make("span", { class: "number", "data-number": "" }), make("span", { class: "room", "data-room": before.join("") }), caret);
  return line;
}
