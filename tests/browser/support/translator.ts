// Translators as browsers have them built in, and as extensions bring them, as far as what they do to documents goes.
import type { Page } from "@playwright/test";

/**
 * What a translator does to text. `sentences`: the text gives way to a `<font>` with another one in it for each sentence, as
 * in Chromium and on Google's pages. `runs`: text nodes that stand side by side give way to one `<font>`. `around`: the
 * text stays, with other words, in a `<font>`, as in Edge.
 */
export type Habit = "sentences" | "runs" | "around";

declare global {
  interface Window {
    translator: { start: () => void; stop: () => void };
  }
}

/** Has documents that `page` opens translated: once they are parsed and nothing has run yet, or at `translate`. */
export async function installTranslator(page: Page, habit: Habit, isEager: boolean) {
  await page.addInitScript(install, { habit, isEager });
}

export async function translate(page: Page) {
  await page.evaluate(() => window.translator.start());
}

export async function showOriginal(page: Page) {
  await page.evaluate(() => window.translator.stop());
}

/** Runs in the browser. The foreign language is the same in capitals. */
function install({ habit, isEager }: { habit: Habit; isEager: boolean }) {
  const originals = new Map<Element, Text[]>();
  const words = new Map<Text, string>();
  const observer = new MutationObserver((records) => {
    for (const { target, addedNodes } of records) [target, ...addedNodes].forEach(translateLater);
  });
  let isOn = false;
  let lang = "";

  window.translator = { start, stop };
  if (isEager) {
    document.addEventListener("readystatechange", () => document.readyState === "interactive" && start());
  }

  function start() {
    isOn = true;
    lang = document.documentElement.lang;
    document.documentElement.lang = "eo";
    document.documentElement.classList.add("translated-ltr");
    document.title = document.title.toUpperCase();
    const tip = document.createElement("div");
    tip.id = "goog-gt-tt";
    tip.className = "skiptranslate";
    document.body.append(tip);
    document.body.style.cssText = "position: relative; min-height: 100%; top: 0px";
    document.head.append(document.createElement("style"));
    for (const field of document.querySelectorAll("[placeholder], [title], [alt]")) {
      for (const name of ["placeholder", "title", "alt"]) {
        const value = field.getAttribute(name);
        if (value) field.setAttribute(name, value.toUpperCase());
      }
    }
    translateIn(document.body);
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  }

  function stop() {
    isOn = false;
    observer.disconnect();
    document.documentElement.lang = lang;
    document.documentElement.classList.remove("translated-ltr");
    for (const [font, texts] of originals) font.replaceWith(...texts);
    for (const [text, data] of words) if (text.data === data.toUpperCase()) text.data = data;
    originals.clear();
    words.clear();
    document.getElementById("goog-gt-tt")?.remove();
  }

  /** Translations come from a server. */
  function translateLater(node: Node) {
    setTimeout(() => isOn && node.isConnected && translateIn(node));
  }

  function translateIn(node: Node) {
    const texts: Text[] = [];
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    if (node instanceof Text) texts.push(node);
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    texts.filter(isForeign).forEach((text) => text.isConnected && replace(text));
  }

  function isForeign({ data, parentElement }: Text) {
    if (!data.trim() || data === data.toUpperCase()) return false;
    return !parentElement?.closest("script, style, .skiptranslate, [translate=no]");
  }

  function replace(text: Text) {
    const font = document.createElement("font");
    font.style.verticalAlign = "inherit";
    if (habit === "around") {
      words.set(text, text.data);
      text.data = text.data.toUpperCase();
      if (text.parentElement?.localName === "font") return;
      font.setAttribute("_mstmutation", "1");
      originals.set(font, [text]);
      text.replaceWith(font);
      font.append(text);
      return;
    }
    const run = habit === "runs" ? runOf(text) : [text];
    const sentences = run.map(({ data }) => data).join("").toUpperCase();
    for (const sentence of sentences.split(/(?<=\. )/)) {
      const inner = document.createElement("font");
      inner.style.verticalAlign = "inherit";
      inner.textContent = sentence;
      font.append(inner);
    }
    originals.set(font, run);
    text.parentNode!.insertBefore(font, run[0]!);
    for (const part of run) part.remove();
  }

  /** Text nodes side by side, whatever comments React has put between them. */
  function runOf(text: Text): Text[] {
    const run = [text];
    for (let next = text.nextSibling; next; next = next.nextSibling) {
      if (next instanceof Text) run.push(next);
      else if (!(next instanceof Comment)) break;
    }
    for (let last = text.previousSibling; last; last = last.previousSibling) {
      if (last instanceof Text) run.unshift(last);
      else if (!(last instanceof Comment)) break;
    }
    return run;
  }
}
