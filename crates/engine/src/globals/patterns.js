// Regular expressions with the flag `v`. The engine's parser refuses outside of classes what the flag reserves inside of them,
// as in `new RegExp("a-b", "v")` or `new RegExp("::", "v")`; such characters are escaped before it sees them. Literals
// that need it are calls of the constructor in bundles for the engine.

const Native = RegExp;

/** Patterns as they were written, of expressions that have escapes in the engine. */
const written = new WeakMap();

/** An escape, the flags of a group, the ends of a class, and what is reserved in a class: alone or doubled. */
const TOKENS = /\\[^]|\(\?[a-z]*-[a-z]*:|[[\]/-]|([!#%&,:;<=>@`~])\1+/g;

const hex = (character) => `\\x${character.charCodeAt(0).toString(16)}`;

function escapeReserved(pattern) {
  let depth = 0;
  return pattern.replace(TOKENS, (token, doubled) => {
    if (token === "[") depth += 1;
    else if (token === "]") depth = Math.max(0, depth - 1);
    else if (depth > 0) return token;
    else if (token === "/" || token === "-") return hex(token);
    // The first one may belong to a group: `(?::`.
    else if (doubled) return doubled + hex(doubled).repeat(token.length - 1);
    return token;
  });
}

const LINE_ENDS = { "\n": "\\n", "\r": "\\r", "\u2028": "\\u2028", "\u2029": "\\u2029" };

/** The pattern in the form that `source` has. */
const sourceOf = (pattern) =>
  pattern.replace(/\\[^]|[/\n\r\u2028\u2029]/g, (token) => (token === "/" ? "\\/" : (LINE_ENDS[token] ?? token)));

function isExpression(value) {
  if (Object(value) !== value) return false;
  const match = value[Symbol.match];
  return match === undefined ? value instanceof Native : Boolean(match);
}

/** Patterns longer than this are cut in messages. */
const SHOWN = 60;

const shown = (pattern) => {
  const text = `${isExpression(pattern) ? pattern.source : pattern}`;
  return text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text;
};

/** Makes an expression of `pattern`; an error shows what that was before it was escaped. */
function make(pattern, flags, newTarget, original = pattern) {
  try {
    return Reflect.construct(Native, [pattern, flags], newTarget);
  } catch (error) {
    if (error instanceof SyntaxError) {
      error.message = `Invalid regular expression: /${shown(original)}/${flags ?? ""}: ${error.message}`;
    }
    throw error;
  }
}

function construct(pattern, flags, newTarget) {
  const expression = isExpression(pattern);
  const given = flags === undefined && expression ? pattern.flags : flags;
  if (given === undefined || !`${given}`.includes("v")) return make(pattern, flags, newTarget);
  const text = expression ? pattern.source : pattern === undefined ? "" : `${pattern}`;
  const escaped = escapeReserved(text);
  const made = make(escaped, `${given}`, newTarget, text);
  if (escaped !== text) written.set(made, sourceOf(text));
  return made;
}

/** What the engine says against an expression; null if nothing. */
function refusal(pattern, flags) {
  try {
    new Native(pattern, flags);
    return null;
  } catch (error) {
    return error.message;
  }
}

/**
 * What the engine says of a literal before it is compiled: null if its parser takes it, an empty text if the constructor
 * does, or else the reason why neither does.
 */
export function judge(pattern, flags) {
  if (refusal(pattern, flags) === null) return null;
  return refusal(flags.includes("v") ? escapeReserved(pattern) : pattern, flags) ?? "";
}

/** Puts a constructor that escapes in the place of the engine's. */
export function installPatterns() {
  const replaced = new Proxy(Native, {
    construct: (_, [pattern, flags], newTarget) => construct(pattern, flags, newTarget),
    apply(_, __, [pattern, flags]) {
      const same = flags === undefined && isExpression(pattern) && pattern.constructor === replaced;
      return same ? pattern : construct(pattern, flags, replaced);
    },
  });
  const { get } = Object.getOwnPropertyDescriptor(Native.prototype, "source");
  const source = {
    get source() {
      return written.get(this) ?? Reflect.apply(get, this, []);
    },
  };
  const getter = Object.getOwnPropertyDescriptor(source, "source").get;
  Object.defineProperty(Native.prototype, "source", { get: getter });
  Object.defineProperty(Native.prototype, "constructor", { value: replaced });
  Object.defineProperty(globalThis, "RegExp", { value: replaced });
}
