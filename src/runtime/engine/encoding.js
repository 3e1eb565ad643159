// UTF-8 only: what a page needs to move text through streams. Rust does the work.

import { host } from "./host.js";

export class TextEncoder {
  get encoding() { return "utf-8"; }
  get [Symbol.toStringTag]() { return "TextEncoder"; }

  encode(text = "") {
    return host.encode(String(text).toWellFormed());
  }

  encodeInto(text, target) {
    if (!(target instanceof Uint8Array)) throw new TypeError("encodeInto writes into a Uint8Array");
    const [bytes, read] = host.encodeAtMost(String(text).toWellFormed(), target.length);
    target.set(bytes);
    return { read, written: bytes.length };
  }
}

/** The bytes of a buffer or view, as a `Uint8Array` over the same memory. */
export function bytesOf(source) {
  if (source instanceof Uint8Array) return source;
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  throw new TypeError("expected an ArrayBuffer or a view of one");
}

const SLICE = 8192;

/** The bytes as a string of characters 0 to 255: the form in which they cross to Rust, faster than one by one. */
function binary(bytes) {
  let text = "";
  for (let start = 0; start < bytes.length; start += SLICE) {
    text += String.fromCharCode.apply(null, bytes.subarray(start, start + SLICE));
  }
  return text;
}

const LABELS = ["utf-8", "utf8", "unicode-1-1-utf-8"];

export class TextDecoder {
  #fatal;
  #ignoreBOM;
  #pending = "";
  #started = false;

  constructor(label = "utf-8", { fatal = false, ignoreBOM = false } = {}) {
    if (!LABELS.includes(String(label).trim().toLowerCase())) {
      throw new RangeError(`${String(label)} is not available as an encoding while prerendering, only utf-8`);
    }
    this.#fatal = Boolean(fatal);
    this.#ignoreBOM = Boolean(ignoreBOM);
  }

  get encoding() { return "utf-8"; }
  get fatal() { return this.#fatal; }
  get ignoreBOM() { return this.#ignoreBOM; }
  get [Symbol.toStringTag]() { return "TextDecoder"; }

  decode(source = new Uint8Array(), { stream = false } = {}) {
    const [text, rest, valid] = host.decode(this.#pending + binary(bytesOf(source)), Boolean(stream));
    const keepsMark = this.#ignoreBOM || this.#started;
    this.#pending = rest;
    this.#started = Boolean(stream) && (this.#started || text !== "");
    if (this.#fatal && !valid) {
      this.#pending = "";
      this.#started = false;
      throw new TypeError("the bytes are not valid utf-8");
    }
    return !keepsMark && text.startsWith("\uFEFF") ? text.slice(1) : text;
  }
}
