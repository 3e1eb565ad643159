// Parts of the globals that few pages ask for. Each is a module of its own, which is loaded when one does, so that the
// others do not pay for it.

import { define, host } from "./host.js";

const provided = new Map();

/** Told by such a module, when it has been loaded, what there is. */
export const provide = (file, parts) => provided.set(file, parts);

/** What a module provides, loaded by now. */
export function load(file) {
  if (!provided.has(file)) host.loadNow(file);
  if (!provided.has(file)) throw new Error(`${file} cannot be loaded: out of memory`);
  return provided.get(file);
}

/** Defines members that are loaded when somebody looks at one, and that can be replaced like any other. */
export function defineLazily(target, file, names) {
  for (const name of names) {
    Object.defineProperty(target, name, {
      get() {
        const { [name]: member } = load(file);
        define(target, { [name]: member });
        return member;
      },
      set(member) {
        define(target, { [name]: member });
      },
      configurable: true,
      enumerable: false,
    });
  }
}
