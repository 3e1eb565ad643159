// UTF-8, what a page needs to move text through streams, where Rust does the work; and windows-1252, which decoders of
// images and documents ask for as `latin1`.

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

const UTF_8 = ["utf-8", "utf8", "unicode-1-1-utf-8"];
const WINDOWS_1252 = ["windows-1252", "cp1252", "latin1", "l1", "iso-8859-1", "iso8859-1", "ascii", "us-ascii"];

/** The characters of the bytes from 0x80 to 0x9F; all others are the character of that number. */
const HIGH = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ";

function decodeSingleBytes(bytes) {
  return binary(bytes).replace(/[\x80-\x9F]/g, (byte) => HIGH[byte.charCodeAt(0) - 0x80]);
}

export class TextDecoder {
  #fatal;
  #ignoreBOM;
  #pending = "";
  #started = false;
  #isUtf8;

  constructor(label = "utf-8", { fatal = false, ignoreBOM = false } = {}) {
    const name = String(label).trim().toLowerCase();
    this.#isUtf8 = UTF_8.includes(name);
    if (!this.#isUtf8 && !WINDOWS_1252.includes(name)) {
      throw new RangeError(`${String(label)} is not available as an encoding while prerendering, only utf-8 and latin1`);
    }
    this.#fatal = Boolean(fatal);
    this.#ignoreBOM = Boolean(ignoreBOM);
  }

  get encoding() { return this.#isUtf8 ? "utf-8" : "windows-1252"; }
  get fatal() { return this.#fatal; }
  get ignoreBOM() { return this.#ignoreBOM; }
  get [Symbol.toStringTag]() { return "TextDecoder"; }

  decode(source = new Uint8Array(), { stream = false } = {}) {
    if (!this.#isUtf8) return decodeSingleBytes(bytesOf(source));
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
