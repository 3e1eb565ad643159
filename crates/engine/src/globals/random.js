// Random numbers that are the same in every build.

import { define } from "./host.js";
import { defineLazily } from "./lazy.js";
import { noteDifference } from "./notes.js";

let state = 0x9e3779b9;

/** The next 32 bits of a mulberry32 sequence. */
function next() {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}

function random() {
  const isVaried = noteDifference("random", "Math.random()", random);
  const number = (next() * 0x200000 + (next() >>> 11)) / 2 ** 53;
  return isVaried ? 1 - 2 ** -53 - number : number;
}

const MAX_BYTES = 65_536;

function fill(array, isVaried) {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = next() ^ (isVaried ? 0xff : 0);
  return array;
}

function getRandomValues(array) {
  if (!ArrayBuffer.isView(array) || array instanceof Float32Array || array instanceof Float64Array) {
    throw new DOMException("getRandomValues needs an integer typed array", "TypeMismatchError");
  }
  if (array.byteLength > MAX_BYTES) {
    throw new DOMException(`getRandomValues fills at most ${MAX_BYTES} bytes`, "QuotaExceededError");
  }
  return fill(array, noteDifference("random", "crypto.getRandomValues()", getRandomValues));
}

function randomUUID() {
  const bytes = fill(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  noteDifference("random", "crypto.randomUUID()", randomUUID, uuid);
  return uuid;
}

export const crypto = {};
define(crypto, { getRandomValues, randomUUID });
defineLazily(crypto, "./subtle.js", ["subtle"]);

export const installRandom = () => define(Math, { random });
