import { Event, EventTarget } from "./events.js";
import { noteUncaught } from "./notes.js";
import { timers } from "./time.js";

/** Only this module makes signals, as in browsers. */
const token = Symbol("AbortSignal");
let abort;

export class AbortSignal extends EventTarget {
  #aborted = false;
  #reason = undefined;
  onabort = null;

  static {
    abort = (signal, reason) => signal.#abort(reason);
  }

  constructor(key) {
    if (key !== token) throw new TypeError("Illegal constructor: use new AbortController().signal");
    super();
  }

  static abort(reason) {
    const signal = new AbortSignal(token);
    abort(signal, reason);
    return signal;
  }

  static timeout(milliseconds) {
    const signal = new AbortSignal(token);
    timers.setTimeout(() => abort(signal, new DOMException("The operation timed out", "TimeoutError")), milliseconds);
    return signal;
  }

  static any(signals) {
    const sources = [...signals];
    const combined = new AbortSignal(token);
    const aborted = sources.find((source) => source.aborted);
    if (aborted !== undefined) abort(combined, aborted.reason);
    for (const source of sources) {
      source.addEventListener("abort", () => abort(combined, source.reason), { once: true });
    }
    return combined;
  }

  get aborted() { return this.#aborted; }
  get reason() { return this.#reason; }
  get [Symbol.toStringTag]() { return "AbortSignal"; }

  throwIfAborted() {
    if (this.#aborted) throw this.#reason;
  }

  #abort(reason) {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason === undefined ? new DOMException("The operation was aborted", "AbortError") : reason;
    const event = new Event("abort");
    try {
      if (typeof this.onabort === "function") this.onabort(event);
    } catch (error) {
      noteUncaught(error);
    }
    this.dispatchEvent(event);
  }
}

export class AbortController {
  #signal = new AbortSignal(token);

  get signal() { return this.#signal; }
  get [Symbol.toStringTag]() { return "AbortController"; }

  abort(reason) {
    abort(this.#signal, reason);
  }
}
