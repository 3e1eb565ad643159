import { cloning, transferring } from "./body.js";
import { define } from "./host.js";

const fail = (what) => {
  throw new DOMException(`${what} cannot be cloned`, "DataCloneError");
};

const BOXES = [Boolean, Number, String];
const UNCLONABLE = [Promise, WeakMap, WeakSet];

/** Makes an empty or complete copy of `value`; `fill` then copies what it holds. */
function copyOf(value) {
  if (typeof value[cloning] === "function") return value[cloning]();
  if (value instanceof Date) return new Date(value);
  if (value instanceof RegExp) return new RegExp(value.source, value.flags);
  if (value instanceof ArrayBuffer) return value.slice(0);
  if (value instanceof DataView) return new DataView(value.buffer.slice(0), value.byteOffset, value.byteLength);
  if (ArrayBuffer.isView(value)) return value.slice();
  if (BOXES.some((type) => value instanceof type)) return Object(value.valueOf());
  if (value instanceof Map) return new Map();
  if (value instanceof Set) return new Set();
  if (Array.isArray(value)) return new Array(value.length);
  if (Error.isError(value)) return errorCopy(value);
  if (UNCLONABLE.some((type) => value instanceof type)) fail(`a ${value.constructor.name}`);
  return {};
}

const ERRORS = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

function errorCopy(error) {
  const copy = new (ERRORS[error.name] ?? Error)(error.message);
  define(copy, { stack: error.stack });
  return copy;
}

const WITHOUT_FIELDS = [Date, RegExp, ArrayBuffer, ...BOXES];

function fill(copy, value, clone) {
  if (value instanceof Map) {
    for (const [key, item] of [...value]) copy.set(clone(key), clone(item));
  } else if (value instanceof Set) {
    for (const item of [...value]) copy.add(clone(item));
  } else if (Error.isError(value)) {
    if (Object.hasOwn(value, "cause")) define(copy, { cause: clone(value.cause) });
  } else if (!ArrayBuffer.isView(value) && !WITHOUT_FIELDS.some((type) => value instanceof type)) {
    for (const key of Object.keys(value)) copy[key] = clone(value[key]);
  }
}

/** What arrives in place of a value that is transferred, and what then takes it away from here. */
function transferOf(value) {
  if (value instanceof ArrayBuffer && !value.detached) return { copy: value.slice(0), finish: () => value.transfer() };
  if (typeof value?.[transferring] !== "function") fail("what cannot be transferred");
  return value[transferring]();
}

/** The structured clone of plain data, cycles included. Buffers and ports can be transferred. */
export function structuredClone(value, { transfer = [] } = {}) {
  const items = [...transfer];
  if (new Set(items).size < items.length) fail("what is transferred twice");
  const transfers = items.map(transferOf);
  const copies = new Map(items.map((item, index) => [item, transfers[index].copy]));
  const clone = (item) => {
    if (typeof item === "function" || typeof item === "symbol") fail(`a ${typeof item}`);
    if (typeof item !== "object" || item === null) return item;
    if (copies.has(item)) return copies.get(item);
    const copy = copyOf(item);
    copies.set(item, copy);
    if (typeof item[cloning] !== "function") fill(copy, item, clone);
    return copy;
  };
  const result = clone(value);
  for (const { finish } of transfers) finish();
  return result;
}
