// What a page does while it is rendered that its author should hear about.

import { ownersNow } from "./around.js";
import { host } from "./host.js";
import { format, stackOf, summary } from "./inspect.js";

// Taken before page code can replace it.
const { captureStackTrace } = Error;

/** Notes of one kind beyond this number say nothing new, and each costs a stack trace. */
const MAX_PER_KIND = 500;
const counts = new Map();
let recording = false;

/** Starts recording what differs between build and browser; until then only libraries have run. */
export const startRecording = () => {
  recording = true;
};

function withinBudget(kind) {
  const count = counts.get(kind) ?? 0;
  counts.set(kind, count + 1);
  return count < MAX_PER_KIND;
}

/** The stack of whoever called `above`, as the engine writes it. */
function stackAbove(above) {
  const holder = {};
  captureStackTrace(holder, above);
  return String(holder.stack ?? "").toWellFormed();
}

/**
 * Notes the use of something that differs between build and browser; `above` is the function that was used, `value` a
 * text that it gave and by which it can be found in the page. True when this use is to give something else than it
 * would: that is how Rust finds out whether the page depends on it.
 */
export function noteDifference(kind, what, above, value = "") {
  return recording && withinBudget(kind) && host.note(kind, what, stackAbove(above), value);
}

/** Notes a message to the console. What React says there is about a component, which is not on the stack. */
export function noteMessage(kind, values, above) {
  if (!withinBudget(kind)) return;
  const owners = kind === "log" ? "" : ownersNow();
  host.note(kind, format(values), `${stackAbove(above)}\n${owners}`, "");
}

/** Notes an error that nobody caught. */
export function noteUncaught(error) {
  if (withinBudget("uncaught")) host.note("uncaught", summary(error), stackOf(error), "");
}

const rejected = new Map();

/** Told by the engine of each promise that rejects unhandled, and again when a handler comes after all. */
export function trackRejection(promise, reason, handled) {
  if (handled) rejected.delete(promise);
  else rejected.set(promise, reason);
}

/** Notes the rejections that nobody handled. */
export function noteRejections() {
  for (const reason of rejected.values()) noteUncaught(reason);
  rejected.clear();
}
