// What to do when code cannot be loaded: the network falters, or a deployment has replaced this one.
import { isLeaving } from "portalgen:helpers";

/**
 * Loads the document anew, which brings what the server has now. Of each build and address only once: what fails after
 * that would fail for ever. Tells whether the document is being left.
 */
export async function reloadOnce(): Promise<boolean> {
  // Without a network, what shows is all there is.
  const answer = await fetch(location.href, { method: "HEAD" }).catch(() => undefined);
  // On the way to another page, it would take the visitor back.
  if (isLeaving()) return true;
  if (!answer?.ok || !isFirst(`portalgen:reloaded ${import.meta.url} ${location.href}`)) return false;
  location.reload();
  return true;
}

/**
 * Whether something is attempted for the first time. With `value`, for the first time in a row: other values make it
 * possible again. Where nothing can be stored, nothing is attempted.
 */
export function isFirst(name: string, value = ""): boolean {
  try {
    if (sessionStorage.getItem(name) === value) return false;
    sessionStorage.setItem(name, value);
    return true;
  } catch {
    return false;
  }
}

/** Whether an error says that a part of a page could not be loaded, in the words of each browser and of ours. */
export function isMissingCode(error: unknown): boolean {
  const words = /dynamically imported module|Importing a module script failed|^Cannot load https?:/;
  return error instanceof Error && words.test(error.message);
}
