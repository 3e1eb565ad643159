// `crypto.subtle`: hashes. Keys are not for pages that everybody gets.

import { binary, bytesOf } from "./encoding.js";
import { define, host } from "./host.js";
import { provide } from "./lazy.js";

const nameOf = (algorithm) => String(typeof algorithm === "object" && algorithm !== null ? algorithm.name : algorithm);

async function digest(algorithm, data) {
  const name = nameOf(algorithm);
  const hash = host.digest(name.toUpperCase(), binary(bytesOf(data)));
  if (hash === null || hash === undefined) throw new DOMException(`there is no hash ${name}`, "NotSupportedError");
  return hash.buffer;
}

const REFUSED =
  "decrypt deriveBits deriveKey encrypt exportKey generateKey importKey sign unwrapKey verify wrapKey".split(" ");

const refuse = (name) => ({
  async [name]() {
    throw new DOMException(`crypto.subtle.${name}() is not available while prerendering`, "NotSupportedError");
  },
});

const subtle = {};
define(subtle, Object.assign({ digest }, ...REFUSED.map(refuse)));
Object.defineProperty(subtle, Symbol.toStringTag, { value: "SubtleCrypto", configurable: true });

provide("./subtle.js", { subtle });
