"use strict";
(() => {
  let isLeaving = false;
  let isChecking = false;

  const isEntry = (element) => element instanceof HTMLScriptElement && element.type === "module";

  /** Whether a file is not the script that it should be. If a cache of the browser has it so, the cache gets it anew. */
  async function isBad(url) {
    const { ok, headers } = await fetch(url, { cache: "force-cache" });
    if (ok && /javascript/.test(headers.get("content-type"))) return false;
    await fetch(url, { cache: "reload" });
    return true;
  }

  /** The same as in `recover.ts`, so that neither does again what the other did. */
  function isFirst(attempt) {
    const name = `portalgen:reloaded ${attempt}`;
    const isFirst = sessionStorage.getItem(name) === null;
    sessionStorage.setItem(name, "");
    return isFirst;
  }

  async function check() {
    if (window[Symbol.for("portalgen")] || isChecking) return;
    isChecking = true;
    addEventListener("beforeunload", () => (isLeaving = true));
    const entries = [...document.scripts].filter(isEntry).map(({ src }) => src);
    const others = [...document.querySelectorAll("link[rel=modulepreload]")].map(({ href }) => href);
    const files = entries.concat(others).filter(Boolean);
    try {
      // Without a network there is no answer, and what shows is all there is.
      const bad = await Promise.all(files.map(isBad));
      if (isLeaving) return;
      if (bad.includes(true) && isFirst(`${entries} ${location.href}`)) location.reload();
      else console.error(`portalgen: ${location.pathname} works without its scripts only`);
    } catch {}
  }

  addEventListener("error", ({ target }) => isEntry(target) && check(), true);
  if (document.readyState === "complete") check();
  else addEventListener("load", check);
})();
