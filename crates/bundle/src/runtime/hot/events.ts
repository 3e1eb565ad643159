// Events that modules listen to, under the names that they have in Vite.

export type Listener = (payload: unknown) => void;

const listeners = new Map<string, Set<Listener>>();

export function listen(event: string, listener: Listener) {
  const all = listeners.get(event) ?? new Set();
  listeners.set(event, all.add(listener));
}

export function unlisten(event: string, listener: Listener) {
  listeners.get(event)?.delete(listener);
}

/** Tells those who listen, of whom none keeps the others from hearing. */
export function emit(event: string, payload?: unknown) {
  for (const listener of [...(listeners.get(event) ?? [])]) {
    try {
      listener(payload);
    } catch (error) {
      console.error(error);
    }
  }
}
