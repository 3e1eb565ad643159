// UTF-8, what a page needs to move text through streams, where Rust does the work; windows-1252, which decoders of images
// and documents ask for as `latin1`; and UTF-16, for which compiled C++ makes a decoder when it is loaded.

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

/** Pieces in one. */
export function joinBytes(pieces) {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let written = 0;
  for (const piece of pieces) {
    whole.set(piece, written);
    written += piece.length;
  }
  return whole;
}

const SLICE = 8192;

/** The bytes as a string of characters 0 to 255: the form in which they cross to Rust, faster than one by one. */
export function binary(bytes) {
  let text = "";
  for (let start = 0; start < bytes.length; start += SLICE) {
    text += String.fromCharCode.apply(null, bytes.subarray(start, start + SLICE));
  }
  return text;
}

/** The bytes of such a string. */
export const fromBinary = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** The labels of encodings. */
const LABELS = {
  "utf-8": ["utf-8", "utf8", "unicode-1-1-utf-8"],
  "utf-16le": ["utf-16le", "utf-16", "ucs-2", "unicode", "unicodefeff", "iso-10646-ucs-2", "csunicode"],
  "utf-16be": ["utf-16be", "unicodefffe"],
  "windows-1252": ["windows-1252", "cp1252", "latin1", "l1", "iso-8859-1", "iso8859-1", "ascii", "us-ascii"],
};

/** The characters of the bytes from 0x80 to 0x9F; all others are the character of that number. */
const HIGH = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ";

const decodeSingleBytes = (text) => text.replace(/[\x80-\x9F]/g, (byte) => HIGH[byte.charCodeAt(0) - 0x80]);

/** Bytes in pairs, as `host.decode` does with UTF-8. `low` is the place of the lower one in a pair. */
function decodePairs(text, moreComes, low) {
  const whole = text.length - (text.length % 2);
  let units = "";
  for (let at = 0; at < whole; at += 2) {
    units += String.fromCharCode(text.charCodeAt(at + low) | (text.charCodeAt(at + 1 - low) << 8));
  }
  const complete = /[\uD800-\uDBFF]$/.test(units) ? units.slice(0, -1) : units;
  if (!moreComes) {
    // Half a character and half a pair behind it are one fault.
    const isCut = whole < text.length;
    return [(isCut ? complete : units).toWellFormed() + (isCut ? "\uFFFD" : ""), "", !isCut && units.isWellFormed()];
  }
  return [complete.toWellFormed(), text.slice(complete.length * 2), complete.isWellFormed()];
}

/** The text of bytes that arrive as characters 0 to 255, the bytes that are not complete, and whether all was valid. */
const DECODERS = {
  "utf-8": (text, moreComes) => host.decode(text, moreComes),
  "utf-16le": (text, moreComes) => decodePairs(text, moreComes, 0),
  "utf-16be": (text, moreComes) => decodePairs(text, moreComes, 1),
  "windows-1252": (text) => [decodeSingleBytes(text), "", true],
};

export class TextDecoder {
  #fatal;
  #ignoreBOM;
  #pending = "";
  #started = false;
  #encoding;

  constructor(label = "utf-8", { fatal = false, ignoreBOM = false } = {}) {
    const name = String(label).trim().toLowerCase();
    this.#encoding = Object.keys(LABELS).find((encoding) => LABELS[encoding].includes(name));
    if (this.#encoding === undefined) {
      const known = "only utf-8, utf-16 and latin1";
      throw new RangeError(`${String(label)} is not available as an encoding while prerendering, ${known}`);
    }
    this.#fatal = Boolean(fatal);
    this.#ignoreBOM = Boolean(ignoreBOM);
  }

  get encoding() { return this.#encoding; }
  get fatal() { return this.#fatal; }
  get ignoreBOM() { return this.#ignoreBOM; }
  get [Symbol.toStringTag]() { return "TextDecoder"; }

  decode(source = new Uint8Array(), { stream = false } = {}) {
    const [text, rest, valid] = DECODERS[this.#encoding](this.#pending + binary(bytesOf(source)), Boolean(stream));
    const keepsMark = this.#ignoreBOM || this.#started;
    this.#pending = rest;
    this.#started = Boolean(stream) && (this.#started || text !== "");
    if (this.#fatal && !valid) {
      this.#pending = "";
      this.#started = false;
      throw new TypeError(`the bytes are not valid ${this.#encoding}`);
    }
    return !keepsMark && text.startsWith("\uFEFF") ? text.slice(1) : text;
  }
}
