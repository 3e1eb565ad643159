// What the browser's history keeps for each page that was shown.

/** An entry of the history. */
export interface Entry {
  /** The application's own. */
  state: unknown;
  key: string;
}

/** The entry that the visitor came in by, and the one that pages are prerendered for. */
export const firstEntry: Entry = { state: null, key: "default" };

/** An entry for `state`, with a key that no other has. */
export function newEntry(state: unknown): Entry {
  return { state, key: Math.random().toString(36).slice(2, 10) };
}

/** Whether the entry that the browser is at is one of these. */
export function isOurs(): boolean {
  return typeof history.state?.key === "string";
}

/** The entry that the browser is at. `entry` becomes it if it is not ours. */
export function currentEntry(entry: Entry): Entry {
  if (!isOurs()) history.replaceState(entry, "");
  return history.state;
}
