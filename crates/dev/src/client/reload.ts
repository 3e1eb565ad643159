// Reloads, each for a reason that can be told.
import type { Sentences } from "./sentences";

const startKey = "portalgen:dev-start";
const reasonKey = "portalgen:dev-reload";

/**
 * Reloads since the server is another process than the one that has sent the document. False if that was done for this start
 * already: whatever stands between keeps an old document, and reloading again would go on for ever.
 */
export function reloadFor(start: string): boolean {
  if (stored(startKey) === start || !store(startKey, start)) return false;
  location.reload();
  return true;
}

/** Reloads, and has the next document tell why: consoles forget what a page said that is gone. */
export function reloadBecause(reason: string) {
  store(reasonKey, reason);
  location.reload();
}

/** Says why the page was reloaded, once. */
export function tellReload({ reloaded }: Sentences) {
  const reason = stored(reasonKey);
  if (!reason) return;
  sessionStorage.removeItem(reasonKey);
  console.info(reloaded(reason));
}

function stored(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** False where nothing can be stored. */
function store(key: string, value: string): boolean {
  try {
    sessionStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
