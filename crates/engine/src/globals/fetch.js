// Headers, Request and Response as values, for libraries that build them; nothing can be fetched.

import { AbortController } from "./abort.js";
import { asBody } from "./body.js";
import { bytesOf, joinBytes, TextDecoder, TextEncoder } from "./encoding.js";
import { define } from "./host.js";
import { inspect } from "./inspect.js";
import { load } from "./lazy.js";
import { ReadableStream } from "./streams.js";
import { URL, URLSearchParams } from "./url.js";

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function headerName(name) {
  const text = String(name);
  if (!TOKEN.test(text)) throw new TypeError(`${JSON.stringify(text)} is not a valid header name`);
  return text.toLowerCase();
}

function headerValue(value) {
  const text = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
  if (/[\0\n\r]|[^\0-\xff]/.test(text)) throw new TypeError(`${JSON.stringify(text)} is not a valid header value`);
  return text;
}

const isIterable = (value) => typeof value[Symbol.iterator] === "function";

export class Headers {
  /** Lower-case name to the values given for it. */
  #values = new Map();

  constructor(init = {}) {
    if (typeof init !== "object" || init === null) throw new TypeError("Headers take an object or a list of pairs");
    for (const pair of isIterable(init) ? init : Object.entries(init)) {
      const [name, value, ...rest] = pair;
      if (value === undefined || rest.length > 0) throw new TypeError("each header must be a name and a value");
      this.append(name, value);
    }
  }

  get [Symbol.toStringTag]() { return "Headers"; }

  append(name, value) {
    const key = headerName(name);
    this.#values.set(key, [...(this.#values.get(key) ?? []), headerValue(value)]);
  }

  set(name, value) {
    this.#values.set(headerName(name), [headerValue(value)]);
  }

  get(name) {
    return this.#values.get(headerName(name))?.join(", ") ?? null;
  }

  has(name) {
    return this.#values.has(headerName(name));
  }

  delete(name) {
    this.#values.delete(headerName(name));
  }

  getSetCookie() {
    return [...(this.#values.get("set-cookie") ?? [])];
  }

  forEach(callback, receiver) {
    for (const [name, value] of this) callback.call(receiver, value, name, this);
  }

  *entries() {
    for (const name of [...this.#values.keys()].sort()) {
      if (name === "set-cookie") for (const value of this.getSetCookie()) yield [name, value];
      else yield [name, this.get(name)];
    }
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
}

/** The bytes of a body and the content type that it implies. */
function bodyOf(init) {
  if (init === null || init === undefined) return { bytes: null, type: null };
  if (typeof init[asBody] === "function") return init[asBody]();
  if (init instanceof ReadableStream) return { stream: init, type: null };
  if (init instanceof ArrayBuffer || ArrayBuffer.isView(init)) return { bytes: bytesOf(init).slice(), type: null };
  const form = init instanceof URLSearchParams ? "application/x-www-form-urlencoded;charset=UTF-8" : null;
  return { bytes: new TextEncoder().encode(String(init)), type: form ?? "text/plain;charset=UTF-8" };
}

const streamOf = (bytes) => new ReadableStream({
  type: "bytes",
  start(controller) {
    if (bytes.length > 0) controller.enqueue(bytes);
    controller.close();
  },
});

async function collect(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(bytesOf(chunk));
  return joinBytes(chunks);
}

class Body {
  #stream;
  #headers;
  #used = false;

  constructor(init, headers) {
    const { bytes, stream, type } = bodyOf(init);
    this.#stream = stream ?? (bytes === null ? null : streamOf(bytes));
    this.#headers = headers;
    if (type !== null && !headers.has("content-type")) headers.set("content-type", type);
  }

  get body() { return this.#stream; }
  get bodyUsed() { return this.#used || (this.#stream?.locked ?? false); }
  get headers() { return this.#headers; }

  async bytes() {
    if (this.bodyUsed) throw new TypeError("the body has been read already");
    if (this.#stream === null) return new Uint8Array();
    this.#used = true;
    return collect(this.#stream);
  }

  async arrayBuffer() {
    return (await this.bytes()).buffer;
  }

  async text() {
    return new TextDecoder().decode(await this.bytes());
  }

  async json() {
    return JSON.parse(await this.text());
  }

  async blob() {
    const { Blob } = load("./blob.js");
    return new Blob([await this.bytes()], { type: this.#headers.get("content-type") ?? "" });
  }

  async formData() {
    const { decodeForm } = load("./blob.js");
    return decodeForm(await this.bytes(), this.#headers.get("content-type") ?? "");
  }

  /** A second stream over the same body, for `clone`. */
  static fork(body) {
    if (body.bodyUsed) throw new TypeError("a body that has been read cannot be cloned");
    if (body.#stream === null) return null;
    const [kept, given] = body.#stream.tee();
    body.#stream = kept;
    return given;
  }
}

const NORMALIZED = ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"];

function methodOf(value) {
  const text = String(value);
  if (!TOKEN.test(text) || /^(CONNECT|TRACE|TRACK)$/i.test(text)) {
    throw new TypeError(`the method ${JSON.stringify(text)} is not allowed`);
  }
  return NORMALIZED.includes(text.toUpperCase()) ? text.toUpperCase() : text;
}

export class Request extends Body {
  #url;
  #method;
  #signal;
  #init;

  constructor(input, init = {}) {
    const from = input instanceof Request ? input : null;
    const method = methodOf(init.method ?? from?.method ?? "GET");
    const body = init.body ?? (from === null ? null : Body.fork(from));
    if (body !== null && ["GET", "HEAD"].includes(method)) throw new TypeError(`a ${method} request has no body`);
    super(body, new Headers(init.headers ?? from?.headers));
    this.#url = from === null ? new URL(input).href : from.url;
    this.#method = method;
    this.#signal = init.signal ?? from?.signal ?? new AbortController().signal;
    this.#init = { ...from?.#init, ...init };
  }

  get url() { return this.#url; }
  get method() { return this.#method; }
  get signal() { return this.#signal; }
  get redirect() { return this.#init.redirect ?? "follow"; }
  get mode() { return this.#init.mode ?? "cors"; }
  get credentials() { return this.#init.credentials ?? "same-origin"; }
  get cache() { return this.#init.cache ?? "default"; }
  get referrer() { return this.#init.referrer ?? "about:client"; }
  get integrity() { return this.#init.integrity ?? ""; }
  get keepalive() { return Boolean(this.#init.keepalive); }
  get [Symbol.toStringTag]() { return "Request"; }
  clone() { return new Request(this); }
}

const WITHOUT_BODY = [101, 103, 204, 205, 304];
const REDIRECTS = [301, 302, 303, 307, 308];

export class Response extends Body {
  #status;
  #statusText;
  #type = "default";

  constructor(body = null, { status = 200, statusText = "", headers } = {}) {
    const code = Number(status);
    if (!(Number.isInteger(code) && code >= 200 && code <= 599)) {
      throw new RangeError(`${String(status)} is not a response status`);
    }
    if ((body ?? null) !== null && WITHOUT_BODY.includes(code)) throw new TypeError(`a ${code} response has no body`);
    super(body, new Headers(headers));
    this.#status = code;
    this.#statusText = String(statusText);
  }

  static json(data, init = {}) {
    const headers = new Headers(init.headers);
    if (!headers.has("content-type")) headers.set("content-type", "application/json");
    return new Response(JSON.stringify(data), { ...init, headers });
  }

  static redirect(url, status = 302) {
    if (!REDIRECTS.includes(status)) throw new RangeError(`${String(status)} is not a redirect status`);
    return new Response(null, { status, headers: { location: new URL(url).href } });
  }

  static error() {
    const response = new Response(null);
    response.#status = 0;
    response.#type = "error";
    return response;
  }

  get status() { return this.#status; }
  get statusText() { return this.#statusText; }
  get ok() { return this.#status >= 200 && this.#status <= 299; }
  get type() { return this.#type; }
  get url() { return ""; }
  get redirected() { return false; }
  get [Symbol.toStringTag]() { return "Response"; }

  clone() {
    const init = { status: this.#status, statusText: this.#statusText, headers: this.headers };
    return new Response(Body.fork(this), init);
  }
}

const addressOf = (input) => (input instanceof Request ? input.url : String(input));

/** Always rejects: a page is rendered without a network. Rust knows the error by its name. */
export async function fetch(input) {
  const error = new TypeError(`${inspect(addressOf(input))} cannot be fetched while the page is prerendered`);
  define(error, { name: "FetchError" });
  throw error;
}
