import { define } from "./host.js";

// As deep as the engine goes: the frame of the page may lie below many of React's.
const DEPTH = 64;

/** As V8 writes a frame: React reads component stacks from such text. */
function frameText(site) {
  const name = site.getFunctionName() || "<anonymous>";
  if (site.isNative()) return `${name} (native)`;
  return `${name} (${site.getFileName()}:${site.getLineNumber()}:${site.getColumnNumber()})`;
}

/** The engine's call sites have no `toString`; scripts that format stacks themselves expect it. */
function giveCallSitesText() {
  Error.prepareStackTrace = (_error, sites) => sites;
  const [site] = new Error().stack;
  Error.prepareStackTrace = undefined;
  define(Object.getPrototypeOf(site), { toString() { return frameText(this); } });
}

let thrown = { value: Symbol("nothing yet"), stack: "" };

/** Where `value`, which is no error and so carries no stack, was thrown; empty unless throws are traced. */
export const stackOfThrown = (value) => (Object.is(thrown.value, value) ? thrown.stack : "");

/**
 * Remembers where things that are no errors are thrown: the engine prepares a stack for whatever is thrown. Not
 * always on, since each stack then costs a call, and none is prepared when the stack itself has run out.
 */
function traceThrows() {
  Error.prepareStackTrace = (value, sites) => {
    const stack = sites.map((site) => `    at ${frameText(site)}\n`).join("");
    if (Error.isError(value)) define(value, { stack });
    // The first place wins: later ones only pass it on.
    else if (!Object.is(thrown.value, value)) thrown = { value, stack };
    // Given a stack, the engine would keep it and prepare no other before somebody catches something.
  };
  try {
    throw new Error("makes the engine forget the stacks that it keeps");
  } catch {
    // Caught, which is all that was wanted.
  }
}

export function installStacks(tracing) {
  Error.stackTraceLimit = DEPTH;
  giveCallSitesText();
  if (tracing) traceThrows();
}
