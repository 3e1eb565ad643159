// Weak references. The engine frees an object at once when nothing else refers to it, in browsers that takes until after
// the current task at least: code may count on it. Here their targets stay for as long as the page is rendered.

import { define } from "./host.js";

const kept = new Set();

/** Puts a constructor that keeps targets in the place of the engine's. */
export function installWeakReferences() {
  const Native = WeakRef;
  const replaced = new Proxy(Native, {
    construct(_, [target], newTarget) {
      const made = Reflect.construct(Native, [target], newTarget);
      kept.add(target);
      return made;
    },
  });
  Object.defineProperty(Native.prototype, "constructor", { value: replaced });
  define(globalThis, { WeakRef: replaced });
}
