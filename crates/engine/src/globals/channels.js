// MessageChannel, MessagePort and BroadcastChannel. Messages are cloned, and arrive after the code that sends them.

import { cloning, transferring } from "./body.js";
import { structuredClone } from "./clone.js";
import { Event, EventTarget } from "./events.js";
import { provide } from "./lazy.js";
import { timers } from "./time.js";

class MessageEvent extends Event {
  #init;

  constructor(type, init = {}) {
    super(type, init);
    this.#init = init ?? {};
  }

  get data() {
    return this.#init.data ?? null;
  }
  get origin() {
    return String(this.#init.origin ?? "");
  }
  get lastEventId() {
    return String(this.#init.lastEventId ?? "");
  }
  get source() {
    return this.#init.source ?? null;
  }
  get ports() {
    return Object.freeze([...(this.#init.ports ?? [])]);
  }
  get [Symbol.toStringTag]() {
    return "MessageEvent";
  }
}

/** Handlers that are set as `onmessage` are called where they were set first, among the listeners. */
class MessageTarget extends EventTarget {
  #handlers = new Map();

  static {
    for (const type of ["message", "messageerror"]) {
      Object.defineProperty(this.prototype, `on${type}`, {
        get() {
          return this.#handlers.get(type) ?? null;
        },
        set(handler) {
          if (!this.#handlers.has(type)) this.addEventListener(type, (event) => this.#handlers.get(type)?.call(this, event));
          this.#handlers.set(type, typeof handler === "function" ? handler : null);
          if (type === "message") this.start?.();
        },
        enumerable: true,
        configurable: true,
      });
    }
  }
}

const cannot = (what) => {
  throw new DOMException(what, "DataCloneError");
};

const token = Symbol("MessagePort");
let entangle;

class MessagePort extends MessageTarget {
  #other = null;
  #waiting = [];
  #isStarted = false;

  static {
    entangle = (first, second) => {
      first.#other = second;
      second.#other = first;
    };
  }

  constructor(key) {
    if (key !== token) throw new TypeError("Illegal constructor: use new MessageChannel()");
    super();
  }

  get [Symbol.toStringTag]() {
    return "MessagePort";
  }

  postMessage(message, options) {
    const transfer = [...((Array.isArray(options) ? options : options?.transfer) ?? [])];
    if (transfer.includes(this)) cannot("a port cannot be sent through itself");
    // One list, so that ports that are in the message and in the event are the same.
    const { data, ports } = structuredClone({ data: message, ports: transfer.filter(isPort) }, { transfer });
    this.#other?.#receive({ data, ports });
  }

  start() {
    if (this.#isStarted) return;
    this.#isStarted = true;
    for (const _ of this.#waiting) this.#schedule();
  }

  close() {
    if (this.#other) this.#other.#other = null;
    this.#other = null;
    this.#waiting = [];
  }

  #receive(message) {
    this.#waiting.push(message);
    if (this.#isStarted) this.#schedule();
  }

  #schedule() {
    timers.setTimeout(() => {
      const message = this.#waiting.shift();
      if (message) this.dispatchEvent(new MessageEvent("message", message));
    }, 0);
  }

  [cloning]() {
    cannot("a MessagePort can only be transferred");
  }

  [transferring]() {
    const copy = new MessagePort(token);
    const finish = () => {
      copy.#waiting = this.#waiting.splice(0);
      if (this.#other) entangle(copy, this.#other);
      this.#other = null;
    };
    return { copy, finish };
  }
}

const isPort = (value) => value instanceof MessagePort;

class MessageChannel {
  #ports = [new MessagePort(token), new MessagePort(token)];

  constructor() {
    entangle(...this.#ports);
  }

  get port1() {
    return this.#ports[0];
  }
  get port2() {
    return this.#ports[1];
  }
  get [Symbol.toStringTag]() {
    return "MessageChannel";
  }
}

const open = new Set();

class BroadcastChannel extends MessageTarget {
  #name;

  constructor(name) {
    if (arguments.length === 0) throw new TypeError("a BroadcastChannel needs a name");
    super();
    this.#name = String(name);
    open.add(this);
  }

  get name() {
    return this.#name;
  }
  get [Symbol.toStringTag]() {
    return "BroadcastChannel";
  }

  postMessage(message) {
    if (!open.has(this)) throw new DOMException("the channel is closed", "InvalidStateError");
    const others = [...open].filter((channel) => channel !== this && channel.#name === this.#name);
    const copies = others.map((channel) => [channel, structuredClone(message)]);
    if (others.length === 0) structuredClone(message);
    for (const [channel, data] of copies) {
      timers.setTimeout(() => {
        if (open.has(channel)) channel.dispatchEvent(new MessageEvent("message", { data }));
      }, 0);
    }
  }

  close() {
    open.delete(this);
  }
}

provide("./channels.js", { BroadcastChannel, MessageChannel, MessageEvent, MessagePort });
