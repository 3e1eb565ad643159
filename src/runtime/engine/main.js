// Entry of the web globals. Everything here runs once in each fresh realm, before any page code.

import { AbortController, AbortSignal } from "./abort.js";
import { structuredClone } from "./clone.js";
import { console } from "./console.js";
import { TextDecoder, TextEncoder } from "./encoding.js";
import { CustomEvent, Event, EventTarget } from "./events.js";
import { fetch, Headers, Request, Response } from "./fetch.js";
import { bind, define, host } from "./host.js";
import { attempt, describe } from "./inspect.js";
import { installLocales } from "./locales.js";
import { noteRejections, noteUncaught, startRecording, trackRejection } from "./notes.js";
import { crypto, installRandom } from "./random.js";
import { installStacks } from "./stack.js";
import * as streams from "./streams.js";
import { fireNextTimer, installDate, performance, timers } from "./time.js";
import { URL, URLSearchParams } from "./url.js";

const globals = {
  AbortController, AbortSignal, console, crypto, CustomEvent, Event, EventTarget, fetch, Headers, performance,
  reportError: noteUncaught, Request, Response, self: globalThis, structuredClone, TextDecoder, TextEncoder, URL, URLSearchParams,
  ...streams, ...timers,
};

const stalled = new AbortController();

/** Lets whoever waits say what for: aborts the signal that the called function was given. */
function stall() {
  stalled.abort(new Error("nothing is left to run, and the page still waits"));
}

const encode = (value) => {
  const text = JSON.stringify(value, (_key, item) => (typeof item === "string" ? item.toWellFormed() : item));
  return text ?? "null";
};

/** Calls the export `name` of the module that `entry` promises, and hands its outcome to Rust. */
async function call(entry, name, values) {
  try {
    const exported = (await entry)[name];
    if (typeof exported !== "function") throw new TypeError(`the entry exports no function named "${name}"`);
    startRecording();
    host.settle(encode(await exported(...values, stalled.signal)));
  } catch (error) {
    host.fail(attempt(() => describe(error), ""));
  }
}

/** Installs the globals and returns what Rust drives a call with. `tracing`: see `stack.js`. */
export default function install(functions, tracing) {
  bind(functions);
  installStacks(tracing);
  define(globalThis, globals);
  installDate();
  installRandom();
  installLocales();
  return { call, describe, fireNextTimer, noteRejections, noteUncaught, stall, trackRejection };
}
