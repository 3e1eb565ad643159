/** The functions that the Rust side provides (`host.rs`), bound before anything else runs. */
export let host;

export const bind = (functions) => {
  host = functions;
};

/** Adds globals the way browsers do: writable and configurable, hidden from enumeration. */
export function define(target, members) {
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
  }
}
