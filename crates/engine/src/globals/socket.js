// WebSocket, which is there for code that looks for it or builds on it. Nothing can be reached while a page is rendered.

import { Event, EventTarget } from "./events.js";
import { define } from "./host.js";
import { provide } from "./lazy.js";
import { URL } from "./url.js";

const STATES = { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 };
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

const invalid = (what) => new DOMException(what, "SyntaxError");

function addressOf(url) {
  const address = URL.parse(url, "http://localhost/");
  if (address === null) throw invalid(`${JSON.stringify(String(url))} is not a valid address`);
  address.protocol = address.protocol.replace("http", "ws");
  if (!/^wss?:$/.test(address.protocol)) throw invalid(`a WebSocket cannot open ${address.protocol}`);
  if (address.href.includes("#")) throw invalid("the address of a WebSocket has no hash");
  return address.href;
}

class WebSocket extends EventTarget {
  /** Always throws. Rust knows the error by its name. */
  constructor(url, protocols = []) {
    super();
    if (arguments.length === 0) throw new TypeError("a WebSocket needs an address");
    const address = addressOf(url);
    const names = typeof protocols === "string" ? [protocols] : [...protocols].map(String);
    if (new Set(names).size < names.length || !names.every((name) => TOKEN.test(name)))
      throw invalid("the protocols of a WebSocket must be different names");
    const error = new TypeError(`no connection to ${address} can be opened while the page is prerendered`);
    define(error, { name: "ConnectionError" });
    throw error;
  }
}

for (const [name, value] of Object.entries(STATES)) {
  for (const owner of [WebSocket, WebSocket.prototype]) Object.defineProperty(owner, name, { value, enumerable: true });
}

class CloseEvent extends Event {
  #init;

  constructor(type, init = {}) {
    super(type, init);
    this.#init = init ?? {};
  }

  get wasClean() {
    return Boolean(this.#init.wasClean);
  }
  get code() {
    return Number(this.#init.code ?? 0);
  }
  get reason() {
    return String(this.#init.reason ?? "");
  }
  get [Symbol.toStringTag]() {
    return "CloseEvent";
  }
}

provide("./socket.js", { CloseEvent, WebSocket });
