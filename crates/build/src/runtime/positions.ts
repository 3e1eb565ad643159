// Where the visitor was on the page of each entry of the history.

// Entries outlive the document, and after a reload one can get back to them without a load.
const storageName = "portalgen:positions";
const positions = storedPositions();

function storedPositions(): Map<string, number> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(storageName) ?? "[]"));
  } catch {
    // The browser refuses to store anything, or something else was stored.
    return new Map();
  }
}

/** Remembers where the visitor is now on the page of an entry. */
export function rememberPosition(key: string) {
  positions.set(key, scrollY);
}

/** Where the visitor was on the page of an entry; at the top if never there. */
export function positionOf(key: string): number {
  return positions.get(key) ?? 0;
}

/** To be called before the document goes. */
export function storePositions() {
  try {
    sessionStorage.setItem(storageName, JSON.stringify([...positions]));
  } catch {
    // Then a reload forgets them.
  }
}
