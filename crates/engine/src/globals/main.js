// Entry of the web globals. Everything here runs once in each fresh realm, before any page code.

import { AbortController, AbortSignal } from "./abort.js";
import { installAround } from "./around.js";
import { structuredClone } from "./clone.js";
import { console } from "./console.js";
import { bytesOf, TextDecoder, TextEncoder } from "./encoding.js";
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

const fail = (error) => host.fail(attempt(() => describe(error), ""));

let exports;

/** Awaits the module that `entry` promises: the program, of which nothing has been called yet. */
async function load(entry) {
  try {
    exports = await entry;
    host.settle("null");
  } catch (error) {
    fail(error);
  }
}

/** Calls what the program exports as `name`, and hands the outcome to Rust. */
async function call(name, values) {
  try {
    const exported = exports[name];
    if (typeof exported !== "function") throw new TypeError(`the entry exports no function named "${name}"`);
    startRecording();
    const value = await exported(...values, stalled.signal);
    const isStream = value instanceof ReadableStream;
    if (isStream) await write(value);
    host.settle(isStream ? "null" : encode(value));
  } catch (error) {
    fail(error);
  }
}

/** Hands the bytes of a stream to Rust as they are. */
async function write(stream) {
  const reader = stream.getReader();
  host.write(new Uint8Array());
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    host.write(bytesOf(value));
  }
}

/**
 * Installs the globals and returns what Rust drives a call with. `tracing`: see `stack.js`. `zone` is how many minutes the
 * local time zone is ahead of UTC.
 */
export default function install(functions, tracing, zone) {
  bind(functions);
  installStacks(tracing);
  installAround();
  define(globalThis, globals);
  for (const [file, names] of Object.entries(LAZY)) defineLazily(globalThis, file, names);
  installDate(zone);
  installRandom();
  installLocales();
  installPatterns();
  installWeakReferences();
  return { call, fireNextTimer, load, noteRejections, noteUncaught, stall, trackRejection };
}
