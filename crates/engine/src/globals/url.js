// URL and URLSearchParams over Rust's `url` crate: parsing, setters and form encoding are its work.

import { host } from "./host.js";
import { load } from "./lazy.js";

/** The order in which the Rust side gives a URL's parts. */
const PARTS = [
  "href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash",
];
const SETTABLE = PARTS.filter((part) => part !== "href" && part !== "origin" && part !== "search");

const plain = (value) => String(value).toWellFormed();

function pairsOf(init) {
  if (typeof init === "string") return pairUp(host.parseQuery(plain(init.startsWith("?") ? init.slice(1) : init)));
  return Array.from(typeof init[Symbol.iterator] === "function" ? init : Object.entries(init), (pair) => {
    const parts = [...pair];
    if (parts.length !== 2) throw new TypeError("a query pair is a name and a value");
    return parts.map(plain);
  });
}

function pairUp(flat) {
  const pairs = [];
  for (let index = 0; index < flat.length; index += 2) pairs.push([flat[index], flat[index + 1]]);
  return pairs;
}

/** Ties a URL to its `searchParams`, hidden from scripts. */
let attach;
let replace;

export class URLSearchParams {
  #pairs;
  #changed = () => {};

  static {
    attach = (params, changed) => { params.#changed = changed; };
    replace = (params, query) => { params.#pairs = pairUp(host.parseQuery(query)); };
  }

  constructor(init = "") {
    this.#pairs = pairsOf(typeof init === "object" && init !== null ? init : String(init));
  }

  get size() { return this.#pairs.length; }
  get [Symbol.toStringTag]() { return "URLSearchParams"; }

  append(name, value) {
    this.#update([...this.#pairs, [plain(name), plain(value)]]);
  }

  delete(name, value) {
    this.#update(this.#pairs.filter((pair) => !matches(pair, name, value)));
  }

  get(name) {
    return this.#pairs.find((pair) => matches(pair, name))?.[1] ?? null;
  }

  getAll(name) {
    return this.#pairs.filter((pair) => matches(pair, name)).map((pair) => pair[1]);
  }

  has(name, value) {
    return this.#pairs.some((pair) => matches(pair, name, value));
  }

  set(name, value) {
    const first = this.#pairs.findIndex((pair) => matches(pair, name));
    if (first < 0) return this.append(name, value);
    const kept = this.#pairs.filter((pair, index) => index <= first || !matches(pair, name));
    kept[first] = [plain(name), plain(value)];
    this.#update(kept);
  }

  sort() {
    this.#update(this.#pairs.toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)));
  }

  forEach(callback, receiver) {
    for (const [name, value] of this) callback.call(receiver, value, name, this);
  }

  *entries() {
    for (let index = 0; index < this.#pairs.length; index += 1) yield [...this.#pairs[index]];
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

  toString() {
    return host.formatQuery(this.#pairs.flat());
  }

  #update(pairs) {
    this.#pairs = pairs;
    this.#changed();
  }
}

const matches = (pair, name, value) => pair[0] === plain(name) && (value === undefined || pair[1] === plain(value));

export class URL {
  #parts;
  #params;

  constructor(url, base) {
    const parts = parse(url, base);
    if (parts === undefined) throw invalid(url, base);
    this.#parts = parts;
  }

  static canParse(url, base) {
    return parse(url, base) !== undefined;
  }

  static createObjectURL(blob) {
    return load("./blob.js").createObjectURL(blob);
  }

  static revokeObjectURL() {}

  static parse(url, base) {
    return URL.canParse(url, base) ? new URL(url, base) : null;
  }

  get href() { return this.#parts[0]; }

  set href(value) {
    const parts = parse(value);
    if (parts === undefined) throw invalid(value);
    this.#parts = parts;
    this.#refresh();
  }

  get origin() { return this.#parts[1]; }
  get search() { return this.#parts[PARTS.indexOf("search")]; }

  set search(value) {
    this.#change("search", value);
    this.#refresh();
  }

  get searchParams() {
    if (this.#params === undefined) {
      this.#params = new URLSearchParams(this.search);
      attach(this.#params, () => this.#change("search", this.#params.toString()));
    }
    return this.#params;
  }

  get [Symbol.toStringTag]() { return "URL"; }
  toString() { return this.href; }
  toJSON() { return this.href; }

  static {
    for (const part of SETTABLE) {
      const index = PARTS.indexOf(part);
      Object.defineProperty(URL.prototype, part, {
        get() { return this.#parts[index]; },
        set(value) { this.#change(part, value); },
        enumerable: true,
        configurable: true,
      });
    }
  }

  #change(part, value) {
    this.#parts = host.changeUrl(this.href, part, plain(value));
  }

  #refresh() {
    if (this.#params !== undefined) replace(this.#params, this.search.slice(1));
  }
}

const parse = (url, base) => host.parseUrl(plain(url), base === undefined ? undefined : plain(base));

function invalid(url, base) {
  const against = base === undefined ? "" : ` against ${JSON.stringify(plain(base))}`;
  return new TypeError(`${JSON.stringify(plain(url))} is not a valid URL${against}`);
}
