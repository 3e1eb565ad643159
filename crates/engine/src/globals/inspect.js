// Turns any value into text without ever throwing: values come from code that has just failed.

import { around } from "./around.js";
import { stackOfThrown } from "./stack.js";

// Taken before page code can replace it.
const { stringify } = JSON;

const MAX_TEXT = 10_000;
const MAX_ITEMS = 20;
const MAX_DEPTH = 3;

/** What `read` gives, or `fallback` when a getter or a proxy trap throws. */
export function attempt(read, fallback) {
  try {
    return read();
  } catch {
    return fallback;
  }
}

const shorten = (text) => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text).toWellFormed();

const isError = (value) => attempt(() => Error.isError(value) || value instanceof DOMException, false);

/** `Name: message`, as `Error.prototype.toString` would say it. */
function headline(error) {
  const name = attempt(() => String(error.name ?? "Error"), "Error");
  const message = attempt(() => String(error.message ?? ""), "(its message cannot be read)");
  return message === "" ? name : name === "" ? message : `${name}: ${message}`;
}

function inspectEntries(entries, open, close, total) {
  const rest = total > MAX_ITEMS ? [`… ${total - MAX_ITEMS} more`] : [];
  return entries.length === 0 ? open + close : `${open} ${[...entries, ...rest].join(", ")} ${close}`;
}

function inspectObject(value, depth) {
  if (isError(value)) return headline(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (value instanceof RegExp) return String(value);
  if (value instanceof Promise) return "a Promise";
  if (depth >= MAX_DEPTH) return Array.isArray(value) ? "[…]" : "{…}";
  const nested = (item) => inspectNested(item, depth + 1);
  if (Array.isArray(value)) return inspectEntries(value.slice(0, MAX_ITEMS).map(nested), "[", "]", value.length);
  const keys = Object.keys(value);
  const entry = (key) => `${key}: ${attempt(() => nested(value[key]), "(cannot be read)")}`;
  const entries = keys.slice(0, MAX_ITEMS).map(entry);
  const name = value.constructor?.name;
  const prefix = typeof name === "string" && name !== "Object" && name !== "" ? `${name} ` : "";
  return prefix + inspectEntries(entries, "{", "}", keys.length);
}

function inspectNested(value, depth) {
  if (typeof value === "string") return stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return `function ${attempt(() => value.name, "") || "(anonymous)"}`;
  if (typeof value !== "object" || value === null) return String(value);
  return attempt(() => inspectObject(value, depth), "an object that cannot be read");
}

/** A short, readable form of any value. */
export const inspect = (value) => shorten(typeof value === "string" ? value : inspectNested(value, 0));

const FORMATS = {
  s: (value) => inspect(value),
  d: (value) => String(typeof value === "symbol" ? NaN : Number(value)),
  i: (value) => String(typeof value === "symbol" ? NaN : Number.parseInt(value, 10)),
  f: (value) => String(typeof value === "symbol" ? NaN : Number.parseFloat(value)),
  o: (value) => inspectNested(value, 0),
  O: (value) => inspectNested(value, 0),
  c: () => "",
};

/** The text that `console.log(...values)` prints, `%s` and its like filled in. */
export function format(values) {
  const [first, ...rest] = values;
  if (typeof first !== "string") return shorten(values.map(inspect).join(" "));
  const text = first.replace(/%([sdifoOc%])/g, (whole, directive) => {
    if (directive === "%") return "%";
    return rest.length === 0 ? whole : attempt(() => FORMATS[directive](rest.shift()), "(cannot be read)");
  });
  return shorten([text, ...rest.map(inspect)].join(" "));
}

const kindOf = (value) => {
  if (value === null || value === undefined) return `${value}`;
  if (typeof value === "object") return `an object, ${inspect(value)}`;
  return typeof value === "function" ? `the ${inspect(value)}` : `the ${typeof value} ${inspectNested(value, 0)}`;
};

const MAX_CAUSES = 9;

/** What caused an error directly: its cause, and the errors that it gathers. */
function reasons(error) {
  const cause = attempt(() => error.cause, undefined);
  const gathered = attempt(() => (Array.isArray(error.errors) ? [...error.errors] : []), []);
  return [...(cause === undefined || cause === null ? [] : [cause]), ...gathered];
}

/** The error, and all that it was caused by, the nearest first. */
function chain(error) {
  const found = [error];
  let nearest = [error];
  while (nearest.length > 0 && found.length < MAX_CAUSES) {
    const next = nearest.filter(isError).flatMap(reasons).filter((reason) => !found.includes(reason));
    nearest = [...new Set(next)].slice(0, MAX_CAUSES - found.length);
    found.push(...nearest);
  }
  return found;
}

// When not even the error fits into memory, the engine throws null, or what `typeof` has no word for. A null that a
// script throws is known by where it was thrown, if throws are traced: a stack would not fit either.
const ranOutOfMemory = (value, thrownAt) => (value === null && thrownAt === "") || typeof value === "unknown";

/** `Name: message`, or what was thrown instead of an error. */
export const summary = (value) => shorten(isError(value) ? headline(value) : kindOf(value));

/** The stack of an error as the engine wrote it. */
export const stackOf = (error) => (isError(error) ? shorten(attempt(() => String(error.stack ?? ""), "")) : "");

function dissect(value) {
  // Before anything else is thrown, such as by a getter.
  const thrownAt = stackOfThrown(value);
  const { owners, components } = around(value);
  const places = { owners, components };
  if (ranOutOfMemory(value, thrownAt)) {
    return { name: "InternalError", message: "out of memory", causes: [], stacks: [], ...places };
  }
  if (!isError(value)) return { name: null, message: shorten(kindOf(value)), causes: [], stacks: [thrownAt], ...places };
  const [, ...causes] = chain(value);
  return {
    ...places,
    name: shorten(attempt(() => String(value.name), "Error")),
    message: shorten(attempt(() => String(value.message), "(its message cannot be read)")),
    causes: causes.map(summary),
    stacks: [value, ...causes].map(stackOf),
  };
}

/**
 * What Rust needs to know about a thrown value, as JSON: `name` (null for what is no error), `message`, the
 * `causes` in a few words each, the `stacks` of the error and its causes as the engine wrote them, and what the program says
 * about where it was at work.
 */
export const describe = (value) => stringify(dissect(value));
