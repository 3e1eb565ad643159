import { noteUncaught } from "./notes.js";
import { performance } from "./time.js";

/** Lets `EventTarget` set what scripts may only read. */
const internals = Symbol("internals");

export class Event {
  #type;
  #init;
  #prevented = false;
  [internals] = { target: null, current: null, stopped: false, dispatching: false };
  timeStamp = performance.now();

  constructor(type, init = {}) {
    if (arguments.length === 0) throw new TypeError("an Event needs a type");
    this.#type = String(type);
    this.#init = init ?? {};
    Object.defineProperty(this, internals, { enumerable: false });
  }

  get type() { return this.#type; }
  get bubbles() { return Boolean(this.#init.bubbles); }
  get cancelable() { return Boolean(this.#init.cancelable); }
  get composed() { return Boolean(this.#init.composed); }
  get defaultPrevented() { return this.#prevented; }
  get target() { return this[internals].target; }
  get srcElement() { return this[internals].target; }
  get currentTarget() { return this[internals].current; }
  get eventPhase() { return this[internals].current === null ? 0 : 2; }
  get isTrusted() { return false; }
  get [Symbol.toStringTag]() { return "Event"; }
  composedPath() { return this[internals].current === null ? [] : [this[internals].current]; }
  preventDefault() { if (this.cancelable) this.#prevented = true; }
  stopPropagation() {}
  stopImmediatePropagation() { this[internals].stopped = true; }
}

export class CustomEvent extends Event {
  #detail;

  constructor(type, init = {}) {
    super(type, init);
    this.#detail = init?.detail ?? null;
  }

  get detail() { return this.#detail; }
  get [Symbol.toStringTag]() { return "CustomEvent"; }
}

const isObject = (value) => typeof value === "object" && value !== null;
const captures = (options) => Boolean(isObject(options) ? options.capture : options);

function invoke(callback, target, event) {
  try {
    if (typeof callback === "function") callback.call(target, event);
    else callback.handleEvent(event);
  } catch (error) {
    noteUncaught(error);
  }
}

export class EventTarget {
  #listeners = [];

  get [Symbol.toStringTag]() { return "EventTarget"; }

  addEventListener(type, callback, options) {
    if (callback === null || callback === undefined) return;
    const { once = false, signal } = isObject(options) ? options : {};
    if (signal?.aborted) return;
    const capture = captures(options);
    if (this.#find(type, callback, capture) >= 0) return;
    this.#listeners.push({ type: String(type), callback, capture, once: Boolean(once) });
    signal?.addEventListener("abort", () => this.removeEventListener(type, callback, capture), { once: true });
  }

  removeEventListener(type, callback, options) {
    const index = this.#find(type, callback, captures(options));
    if (index >= 0) this.#listeners.splice(index, 1);
  }

  dispatchEvent(event) {
    const state = event?.[internals];
    if (state === undefined) throw new TypeError("dispatchEvent needs an Event");
    if (state.dispatching) throw new DOMException("the event is being dispatched already", "InvalidStateError");
    Object.assign(state, { target: this, current: this, stopped: false, dispatching: true });
    for (const listener of this.#listeners.filter(({ type }) => type === event.type)) {
      if (state.stopped) break;
      if (!this.#listeners.includes(listener)) continue;
      if (listener.once) this.#listeners.splice(this.#listeners.indexOf(listener), 1);
      invoke(listener.callback, this, event);
    }
    Object.assign(state, { current: null, dispatching: false });
    return !event.defaultPrevented;
  }

  #find(type, callback, capture) {
    return this.#listeners.findIndex(
      (listener) => listener.type === String(type) && listener.callback === callback && listener.capture === capture,
    );
  }
}
