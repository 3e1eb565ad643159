// Translators and extensions change the document as well. React would look for a node where it is no more, throw, and take
// the page away.
//
// Translators put `<font>` elements around text or in its place. The text goes back to its place before React needs it;
// translators see that, and translate it anew. Any other node that is gone counts as removed already.

const { appendChild, insertBefore, removeChild } = Node.prototype;

/** An element that stands in the place of text. */
interface Translation {
  font: ChildNode;
  texts: ChildNode[];
}

/** By the element, and by each text. */
const translations = new WeakMap<Node, Translation>();
/** Text that React has removed, and no translator. */
const removed = new WeakSet<Node>();

/** Puts text among the children of `parent` again if a translator has taken it away from there. */
function restore(text: Node, parent: Node) {
  if (text.nodeType !== Node.TEXT_NODE) return;
  while (text.parentNode !== parent) {
    const font = translations.get(text)?.font ?? text.parentNode;
    if (font?.nodeName !== "FONT" || !font.parentNode) return;
    undo(font as ChildNode);
  }
}

/** The child of `parent` that is `node` or has it inside; nothing if `node` was taken out of the document. */
function placeOf(node: Node, parent: Node): Node | null {
  restore(node, parent);
  // A mistake of the caller, which the browser tells.
  if (node.parentNode && !parent.contains(node)) return node;
  let place: Node | null = node;
  while (place && place.parentNode !== parent) place = place.parentNode;
  return place;
}

/** Replaces an element of a translator by the text that it stands for, or by what is in it. */
function undo(font: ChildNode) {
  const texts = translations.get(font)?.texts;
  for (const node of [font, ...(texts ?? [])]) translations.delete(node);
  font.replaceWith(...(texts ?? font.childNodes));
}

/** Lets no translation stay behind when `node` is put into `parent`. */
function release(node: Node, parent: Node) {
  removed.delete(node);
  const font = translations.get(node)?.font;
  // Translators, too, may put text into what they have made for it.
  if (font?.contains(parent)) translations.delete(node);
  else if (font) undo(font);
}

/** The element of a translator at `node`, or before it where React has put comments between text. */
function fontAt(node: Node | null | undefined): ChildNode | undefined {
  while (node instanceof Comment) node = node.previousSibling;
  return node?.nodeName === "FONT" ? (node as ChildNode) : undefined;
}

/** Lets React find its nodes in `root` where others have been. */
export function standInterference(root: Node) {
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    const place = placeOf(child, this);
    removed.add(child);
    if (place) removeChild.call(place === child ? this : child.parentNode!, child);
    return child;
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    release(node, this);
    return insertBefore.call(this, node, before && placeOf(before, this)) as T;
  };
  Node.prototype.appendChild = function <T extends Node>(this: Node, node: T): T {
    release(node, this);
    return appendChild.call(this, node) as T;
  };
  const observer = new MutationObserver((records) => records.forEach(note));
  observer.observe(root, { childList: true, subtree: true });

  function note({ type, target, removedNodes, addedNodes, previousSibling, nextSibling }: MutationRecord) {
    // React has changed text that is not in the document.
    if (type === "characterData") return release(target, target);
    const font = fontAt(addedNodes[0]) ?? fontAt(previousSibling) ?? fontAt(nextSibling);
    if (!font) return;
    for (const text of removedNodes) {
      if (text.isConnected || text.nodeType !== Node.TEXT_NODE || removed.has(text)) continue;
      const translation = translations.get(font) ?? { font, texts: [] };
      translation.texts.push(text as ChildNode);
      translations.set(font, translation).set(text, translation);
      observer.observe(text, { characterData: true });
    }
  }
}
