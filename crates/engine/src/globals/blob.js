// Blob, File and FormData, and how a form travels as the body of a request.

import { asBody, cloning } from "./body.js";
import { binary, bytesOf, fromBinary, joinBytes, TextDecoder, TextEncoder } from "./encoding.js";
import { host } from "./host.js";
import { provide } from "./lazy.js";
import { noteDifference } from "./notes.js";
import { ReadableStream } from "./streams.js";
import { clock } from "./time.js";

const encode = (text) => new TextEncoder().encode(text);
const decode = (bytes) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

/** Reads what a blob holds, out of scripts' reach. */
let contentOf;

function partBytes(part, endings) {
  if (part instanceof Blob) return contentOf(part);
  if (part instanceof ArrayBuffer || ArrayBuffer.isView(part)) return bytesOf(part);
  const text = String(part);
  return encode(endings === "native" ? text.replace(/\r\n?/g, "\n") : text);
}

function mimeType(type) {
  const text = String(type);
  return /^[\x20-\x7e]*$/.test(text) ? text.toLowerCase() : "";
}

/** A position in a sequence, counted from its end if negative. */
function position(value, size) {
  const index = Math.trunc(Number(value)) || 0;
  return index < 0 ? Math.max(size + index, 0) : Math.min(index, size);
}

class Blob {
  #bytes;
  #type;

  static {
    contentOf = (blob) => blob.#bytes;
  }

  constructor(parts = [], options = {}) {
    if (typeof parts !== "object" || parts === null || typeof parts[Symbol.iterator] !== "function")
      throw new TypeError("a Blob is made of a list of parts");
    const { type = "", endings = "transparent" } = options ?? {};
    if (!["transparent", "native"].includes(String(endings))) throw new TypeError(`there are no endings "${endings}"`);
    this.#bytes = joinBytes(Array.from(parts, (part) => partBytes(part, String(endings))));
    this.#type = mimeType(type);
  }

  get size() {
    return this.#bytes.length;
  }
  get type() {
    return this.#type;
  }
  get [Symbol.toStringTag]() {
    return "Blob";
  }

  slice(start = 0, end = this.size, type = "") {
    return new Blob([this.#bytes.subarray(position(start, this.size), position(end, this.size))], { type });
  }

  stream() {
    const bytes = this.#bytes;
    return new ReadableStream({
      type: "bytes",
      start(controller) {
        if (bytes.length > 0) controller.enqueue(bytes.slice());
        controller.close();
      },
    });
  }

  async bytes() {
    return this.#bytes.slice();
  }

  async arrayBuffer() {
    return this.#bytes.slice().buffer;
  }

  async text() {
    return new TextDecoder().decode(this.#bytes);
  }

  [asBody]() {
    return { bytes: this.#bytes, type: this.type === "" ? null : this.type };
  }

  [cloning]() {
    return new Blob([this.#bytes], { type: this.type });
  }
}

class File extends Blob {
  #name;
  #lastModified;

  constructor(parts, name, options = {}) {
    if (arguments.length < 2) throw new TypeError("a File is made of parts and a name");
    super(parts, options);
    this.#name = String(name).toWellFormed();
    const { lastModified } = options ?? {};
    this.#lastModified = lastModified === undefined ? undefined : Math.trunc(Number(lastModified)) || 0;
  }

  get name() {
    return this.#name;
  }
  get lastModified() {
    const { get } = Object.getOwnPropertyDescriptor(File.prototype, "lastModified");
    this.#lastModified ??= clock("File.prototype.lastModified", get);
    return this.#lastModified;
  }
  get [Symbol.toStringTag]() {
    return "File";
  }

  [cloning]() {
    return new File([this], this.name, { type: this.type, lastModified: this.#lastModified });
  }
}

/** What a form keeps for a value: a file, or a text. */
function formValue(value, rest) {
  if (!(value instanceof Blob)) {
    if (rest.length > 0) throw new TypeError("only a Blob has a file name");
    return String(value).toWellFormed();
  }
  if (rest.length === 0 && value instanceof File) return value;
  const name = rest.length > 0 ? String(rest[0]) : "blob";
  const { lastModified } = value instanceof File ? value : {};
  return new File([value], name, { type: value.type, lastModified });
}

const plain = (text) => String(text).toWellFormed();

class FormData {
  #entries = [];

  constructor(form) {
    if (form !== undefined) throw new TypeError("there are no forms to read while prerendering");
  }

  get [Symbol.toStringTag]() {
    return "FormData";
  }

  append(name, value, ...rest) {
    this.#entries.push([plain(name), formValue(value, rest)]);
  }

  set(name, value, ...rest) {
    const entry = [plain(name), formValue(value, rest)];
    const index = this.#entries.findIndex(([other]) => other === entry[0]);
    this.delete(name);
    this.#entries.splice(index < 0 ? this.#entries.length : index, 0, entry);
  }

  get(name) {
    return this.#entries.find(([other]) => other === plain(name))?.[1] ?? null;
  }

  getAll(name) {
    return this.#entries.filter(([other]) => other === plain(name)).map(([, value]) => value);
  }

  has(name) {
    return this.#entries.some(([other]) => other === plain(name));
  }

  delete(name) {
    this.#entries = this.#entries.filter(([other]) => other !== plain(name));
  }

  forEach(callback, receiver) {
    for (const [name, value] of this) callback.call(receiver, value, name, this);
  }

  *entries() {
    for (let index = 0; index < this.#entries.length; index += 1) yield [...this.#entries[index]];
  }

  *keys() {
    for (const [name] of this) yield name;
  }

  *values() {
    for (const [, value] of this) yield value;
  }

  [Symbol.iterator]() {
    return this.entries();
  }

  [asBody]() {
    return encodeForm(this);
  }
}

let forms = 0;

const lines = (text) => text.replace(/\r\n?|\n/g, "\r\n");
const quoted = (text) => lines(text).replace(/\r/g, "%0D").replace(/\n/g, "%0A").replace(/"/g, "%22");

/** A form as `multipart/form-data`. */
function encodeForm(form) {
  forms += 1;
  const boundary = `----formdata-${String(forms).padStart(16, "0")}`;
  const parts = [...form].map(([name, value]) => {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"`;
    if (typeof value === "string") return [encode(`${head}\r\n\r\n${lines(value)}\r\n`)];
    const type = value.type || "application/octet-stream";
    const file = `${head}; filename="${quoted(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`;
    return [encode(file), contentOf(value), encode("\r\n")];
  });
  const bytes = joinBytes([...parts.flat(), encode(`--${boundary}--\r\n`)]);
  return { bytes, type: `multipart/form-data; boundary=${boundary}` };
}

const unquoted = (text) => text.replace(/%0D/g, "\r").replace(/%0A/g, "\n").replace(/%22/g, '"');
const textOf = (binaryText) => decode(fromBinary(binaryText));

/** One part of a form whose bytes arrive as characters 0 to 255. */
function decodePart(form, part) {
  const [head, ...rest] = part.split("\r\n\r\n");
  const content = rest.join("\r\n\r\n");
  const [, name] = /^content-disposition:\s*form-data;.*?\bname="([^"]*)"/im.exec(head) ?? [];
  if (rest.length === 0 || name === undefined) throw new TypeError("the body is no form");
  const [, file] = /^content-disposition:.*\bfilename="([^"]*)"/im.exec(head) ?? [];
  const [, type = "text/plain"] = /^content-type:\s*(.*)$/im.exec(head) ?? [];
  const key = unquoted(textOf(name));
  if (file === undefined) return form.append(key, textOf(content));
  return form.append(key, new File([fromBinary(content)], unquoted(textOf(file)), { type: type.trim() }));
}

/** Reads the form that a body of this content type holds. */
function decodeForm(bytes, contentType) {
  const form = new FormData();
  const [, quotedBoundary, bareBoundary] = /^multipart\/form-data;.*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  const boundary = quotedBoundary ?? bareBoundary;
  if (boundary !== undefined) {
    const parts = `\r\n${binary(bytes)}`.split(`\r\n--${boundary}`);
    if (parts.length < 2 || !parts.at(-1).startsWith("--")) throw new TypeError("the form is not complete");
    for (const part of parts.slice(1, -1)) decodePart(form, part.slice(2));
    return form;
  }
  if (!/^application\/x-www-form-urlencoded\b/i.test(contentType)) throw new TypeError("the body is no form");
  const flat = host.parseQuery(decode(bytes));
  for (let index = 0; index < flat.length; index += 2) form.append(flat[index], flat[index + 1]);
  return form;
}

/** An address for a blob. Browsers make up another each time. */
function createObjectURL(blob) {
  if (!(blob instanceof Blob)) throw new TypeError("only a Blob has an address");
  const uuid = globalThis.crypto.randomUUID();
  noteDifference("random", "URL.createObjectURL()", createObjectURL, uuid);
  return `blob:null/${uuid}`;
}

provide("./blob.js", { Blob, File, FormData, createObjectURL, decodeForm });
