// What to do when code cannot be loaded: the network falters, or a deployment has replaced this one.

/** How long a network may take to recover, in milliseconds. */
const pause = 250;

/** Whether the visitor is on the way to another document, once something has failed. */
let isLeaving = false;

/** Tries once more what failed. What fails twice is gone. */
export async function twice<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch {
    window.addEventListener("beforeunload", () => (isLeaving = true));
    await new Promise((resolve) => setTimeout(resolve, pause));
    return attempt();
  }
}

const storageName = "portalgen:reloaded";

/**
 * Loads the document anew, which brings what the server has now. Of each build and address only once: what fails after
 * that would fail for ever.
 */
export async function reloadOnce() {
  // Without a network, what shows is all there is.
  const answer = await fetch(location.href, { method: "HEAD" }).catch(() => undefined);
  // On the way to another page, it would take the visitor back.
  if (!answer?.ok || isLeaving) return;
  const attempt = `${import.meta.url} ${location.href}`;
  try {
    if (sessionStorage.getItem(storageName) === attempt) return;
    sessionStorage.setItem(storageName, attempt);
  } catch {
    // The browser stores nothing, so nothing would stop a second attempt.
    return;
  }
  location.reload();
}

/** Whether an error says that a part of a page could not be loaded, in the words of each browser and of ours. */
export function isMissingCode(error: unknown): boolean {
  const words = /dynamically imported module|Importing a module script failed|^Cannot load https?:/;
  return error instanceof Error && words.test(error.message);
}
