// Entry of the web globals. Everything here runs once in each fresh realm, before any page code.

import { AbortController, AbortSignal } from "./abort.js";
import { structuredClone } from "./clone.js";
import { console } from "./console.js";
import { TextDecoder, TextEncoder } from "./encoding.js";
import { CustomEvent, Event, EventTarget } from "./events.js";
import { fetch, Headers, Request, Response } from "./fetch.js";
import { bind, define, host } from "./host.js";
import { attempt, describe } from "./inspect.js";
import { defineLazily } from "./lazy.js";
import { installLocales } from "./locales.js";
import { noteRejections, noteUncaught, startRecording, trackRejection } from "./notes.js";
import { installPatterns } from "./patterns.js";
import { crypto, installRandom } from "./random.js";
import { installStacks } from "./stack.js";
import {
  ByteLengthQueuingStrategy, CountQueuingStrategy, ReadableByteStreamController, ReadableStream, ReadableStreamDefaultController,
  ReadableStreamDefaultReader,
} from "./streams.js";
import { fireNextTimer, installDate, performance, timers } from "./time.js";
import { URL, URLSearchParams } from "./url.js";
import { installWeakReferences } from "./weak.js";

const globals = {
  AbortController, AbortSignal, ByteLengthQueuingStrategy, console, CountQueuingStrategy, crypto, CustomEvent, Event,
  EventTarget, fetch, Headers, performance, ReadableByteStreamController, ReadableStream, ReadableStreamDefaultController,
  ReadableStreamDefaultReader, reportError: noteUncaught, Request, Response, self: globalThis, structuredClone, TextDecoder,
  TextEncoder, URL, URLSearchParams, ...timers,
};

/** Globals by the modules that are loaded when one of them is looked at. */
const LAZY = {
  "./blob.js": ["Blob", "File", "FormData"],
  "./channels.js": ["BroadcastChannel", "MessageChannel", "MessageEvent", "MessagePort"],
  "./socket.js": ["CloseEvent", "WebSocket"],
  "./streams-write.js": [
    "CompressionStream",
    "DecompressionStream",
    "TextDecoderStream",
    "TextEncoderStream",
    "TransformStream",
    "TransformStreamDefaultController",
    "WritableStream",
    "WritableStreamDefaultController",
    "WritableStreamDefaultWriter",
  ],
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

/**
 * Installs the globals and returns what Rust drives a call with. `tracing`: see `stack.js`. `zone` is how many minutes the
 * local time zone is ahead of UTC.
 */
export default function install(functions, tracing, zone) {
  bind(functions);
  installStacks(tracing);
  define(globalThis, globals);
  for (const [file, names] of Object.entries(LAZY)) defineLazily(globalThis, file, names);
  installDate(zone);
  installRandom();
  installLocales();
  installPatterns();
  installWeakReferences();
  return { call, describe, fireNextTimer, noteRejections, noteUncaught, stall, trackRejection };
}
