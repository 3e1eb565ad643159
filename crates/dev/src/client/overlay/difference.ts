// What was prerendered beside what the browser has rendered.
import type { Difference } from "../protocol";
import type { Sentences } from "../sentences";
import { make } from "./dom";

export function differenceOf({ component, server, client, tree }: Difference, sentences: Sentences): HTMLElement {
  const [prerendered, rendered] = marked(server, client);
  const side = (kind: string, label: string, text: Node[]) => {
    const content = text.length ? make("pre", {}, ...text) : make("p", { class: "muted" }, sentences.nothing);
    return make("div", { class: `side ${kind}` }, make("h3", {}, label), content);
  };
  return make(
    "section",
    { class: "difference" },
    component ? make("p", {}, sentences.component, " ", make("code", {}, `<${component}>`)) : undefined,
    make("div", { class: "sides" }, side("server", sentences.server, prerendered), side("client", sentences.client, rendered)),
    tree ? treeOf(tree, sentences) : undefined,
  );
}

/** Two texts in which the part that differs is marked. */
function marked(a: string, b: string): [Node[], Node[]] {
  const [left, right] = [[...a], [...b]];
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start++;
  let end = 0;
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  // Half a number says little.
  while (start > 0 && isOfWord(left[start - 1])) start--;
  while (end > 0 && isOfWord(left.at(-end))) end--;
  const parts = (text: string[]) => {
    const middle = text.slice(start, text.length - end).join("");
    const all = [new Text(text.slice(0, start).join("")), make("mark", {}, middle), new Text(text.slice(text.length - end).join(""))];
    return all.filter(({ textContent }) => textContent);
  };
  return [parts(left), parts(right)];
}

/** Whether a character belongs to a word that is not to be cut. Chinese has no such words. */
function isOfWord(character: string | undefined): boolean {
  return /^[\w:.,-]$/.test(character ?? "");
}

/** React's drawing, folded, with its signs for lines of either side. */
function treeOf(tree: string, { tree: label }: Sentences): HTMLElement {
  const kinds: Record<string, string> = { "+": "line added", "-": "line removed" };
  const lines = tree.split("\n").map((line) => make("span", { class: kinds[line[0] ?? ""] ?? "line" }, `${line}\n`));
  const code = make("div", { class: "code", tabindex: "0", role: "group", "aria-label": label }, make("pre", {}, ...lines));
  return make("details", {}, make("summary", {}, label), code);
}
