// Streams that are written to: WritableStream, TransformStream, what is built on that, and the pipe between two streams.
// The states and their names are those of the Streams standard.

import { cloning } from "./body.js";
import { AbortController } from "./abort.js";
import { binary, bytesOf, joinBytes, TextDecoder, TextEncoder } from "./encoding.js";
import { host } from "./host.js";
import { provide } from "./lazy.js";
import { inspectReadable, ReadableStream } from "./streams.js";

const ignore = () => {};

/** A promise that nobody has to look at. */
function quiet() {
  const deferred = Promise.withResolvers();
  deferred.promise.catch(ignore);
  return deferred;
}

const settledQuiet = (reason) => {
  const deferred = quiet();
  deferred.reject(reason);
  return deferred;
};

function strategyOf({ highWaterMark, size } = {}, usual) {
  const mark = Number(highWaterMark ?? usual);
  if (!(mark >= 0)) throw new RangeError("highWaterMark must be zero or more");
  if (size !== undefined && typeof size !== "function") throw new TypeError("size must be a function");
  return { mark, sizeOf: size === undefined ? () => 1 : (chunk) => size(chunk) };
}

const uncloneable = (name) => () => {
  throw new DOMException(`a ${name} cannot be cloned`, "DataCloneError");
};

class WritableStreamDefaultController {
  #abort = new AbortController();
  #fail;

  constructor(fail) {
    if (typeof fail !== "function") throw new TypeError("Illegal constructor");
    this.#fail = (reason) => fail(reason, this.#abort);
  }

  get signal() {
    return this.#abort.signal;
  }
  get [Symbol.toStringTag]() {
    return "WritableStreamDefaultController";
  }

  error(reason) {
    this.#fail(reason);
  }

  static abort(controller, reason) {
    controller.#abort.abort(reason);
  }
}
const abortSignal = WritableStreamDefaultController.abort;
delete WritableStreamDefaultController.abort;

const CLOSE = Symbol("close");

/** What a writer may do with its stream, out of scripts' reach. */
let internals;

class WritableStream {
  #sink;
  #strategy;
  #controller;
  #state = "writable";
  #reason;
  #writer = null;
  /** What is to be written: `{ chunk, size, done }`, and at its end perhaps `CLOSE`. */
  #queue = [];
  #queued = 0;
  #isStarted = false;
  #isBusy = false;
  #closing = null;
  #aborting = null;

  static {
    internals = {
      state: (stream) => stream.#state,
      reason: (stream) => stream.#reason,
      isClosing: (stream) => stream.#closing !== null,
      desiredSize: (stream) => stream.#desiredSize(),
      lock: (stream, writer) => {
        if (stream.#writer !== null) throw new TypeError("the stream is locked by a writer");
        stream.#writer = writer;
      },
      unlock: (stream) => {
        stream.#writer = null;
      },
      write: (stream, chunk) => stream.#write(chunk),
      close: (stream) => stream.#close(),
      abort: (stream, reason) => stream.#abort(reason),
      fail: (stream, reason) => stream.#startFailing(reason),
    };
  }

  constructor(sink = {}, strategy = {}) {
    if (sink?.type !== undefined) throw new RangeError("there are no types of writable streams");
    this.#sink = sink ?? {};
    this.#strategy = strategyOf(strategy ?? {}, 1);
    this.#controller = new WritableStreamDefaultController((reason) => {
      if (this.#state === "writable") this.#startFailing(reason);
    });
    Promise.resolve(this.#sink.start?.(this.#controller)).then(
      () => {
        this.#isStarted = true;
        this.#advance();
      },
      (reason) => {
        this.#isStarted = true;
        this.#startFailing(reason);
        this.#advance();
      },
    );
  }

  get locked() {
    return this.#writer !== null;
  }
  get [Symbol.toStringTag]() {
    return "WritableStream";
  }

  getWriter() {
    return new WritableStreamDefaultWriter(this);
  }

  abort(reason) {
    return this.locked ? Promise.reject(new TypeError("the stream is locked by a writer")) : this.#abort(reason);
  }

  close() {
    return this.locked ? Promise.reject(new TypeError("the stream is locked by a writer")) : this.#close();
  }

  #desiredSize() {
    if (this.#state === "errored" || this.#state === "erroring") return null;
    return this.#state === "closed" ? 0 : this.#strategy.mark - this.#queued;
  }

  #hasBackpressure() {
    return this.#strategy.mark - this.#queued <= 0;
  }

  async #write(chunk) {
    let size;
    try {
      size = Number(this.#strategy.sizeOf(chunk));
      if (!(size >= 0) || size === Infinity) throw new RangeError("the size of a chunk must be a number");
    } catch (error) {
      if (this.#state === "writable") this.#startFailing(error);
      throw error;
    }
    if (this.#state === "errored" || this.#state === "erroring") throw this.#reason;
    if (this.#closing || this.#state === "closed") throw new TypeError("the stream takes nothing more: it is closed");
    const done = Promise.withResolvers();
    this.#queue.push({ chunk, size, done });
    this.#queued += size;
    this.#writer?.[backpressure](this.#hasBackpressure());
    this.#advance();
    return done.promise;
  }

  #close() {
    if (this.#closing || this.#state === "closed" || this.#state === "errored")
      return Promise.reject(new TypeError("the stream is closed already, or has failed"));
    this.#closing = quiet();
    this.#queue.push(CLOSE);
    if (this.#state === "writable") this.#writer?.[backpressure](false);
    this.#advance();
    return this.#closing.promise;
  }

  #abort(reason) {
    if (this.#state === "closed" || this.#state === "errored") return Promise.resolve();
    abortSignal(this.#controller, reason);
    // Whoever listens to the signal may have ended the stream.
    if (this.#state === "closed" || this.#state === "errored") return Promise.resolve();
    if (this.#aborting) return this.#aborting.promise;
    const aborting = { ...quiet(), reason, isTold: this.#state === "erroring" };
    this.#aborting = aborting;
    if (this.#state === "writable") this.#startFailing(reason);
    else this.#advance();
    return aborting.promise;
  }

  #startFailing(reason) {
    if (this.#state !== "writable") return;
    this.#state = "erroring";
    this.#reason = reason;
    this.#writer?.[failing](reason);
    this.#advance();
  }

  /** Does what is next, if nothing is being done. */
  #advance() {
    if (!this.#isStarted || this.#isBusy || this.#state === "closed" || this.#state === "errored") return;
    if (this.#state === "erroring") {
      this.#finishFailing();
    } else if (this.#queue[0] === CLOSE) {
      this.#perform("close", [], () => this.#finishClosing());
    } else if (this.#queue.length > 0) {
      const { chunk, size, done } = this.#queue[0];
      this.#perform("write", [chunk, this.#controller], () => {
        this.#queue.shift();
        this.#queued -= size;
        done.resolve();
        if (this.#state === "writable" && !this.#closing) this.#writer?.[backpressure](this.#hasBackpressure());
      });
    }
  }

  async #perform(method, values, succeed) {
    this.#isBusy = true;
    try {
      await this.#sink[method]?.(...values);
      this.#isBusy = false;
      succeed();
    } catch (error) {
      this.#isBusy = false;
      const failed = this.#queue.shift();
      if (failed === CLOSE) {
        this.#closing.reject(error);
        this.#aborting?.reject(error);
        this.#aborting = null;
      } else {
        this.#queued -= failed.size;
        failed.done.reject(error);
      }
      this.#startFailing(error);
    }
    this.#advance();
  }

  #finishClosing() {
    this.#queue = [];
    // A stream that closes after all has not failed.
    this.#state = "closed";
    this.#closing.resolve();
    this.#aborting?.resolve();
    this.#aborting = null;
    this.#writer?.[closed]();
  }

  #finishFailing() {
    this.#state = "errored";
    for (const item of this.#queue.splice(0)) if (item !== CLOSE) item.done.reject(this.#reason);
    this.#queued = 0;
    const aborting = this.#aborting;
    this.#aborting = null;
    const end = () => {
      this.#closing?.reject(this.#reason);
      this.#writer?.[failed](this.#reason);
    };
    if (!aborting) return end();
    if (aborting.isTold) {
      aborting.reject(this.#reason);
      return end();
    }
    const abort = async () => this.#sink.abort?.(aborting.reason);
    return abort().then(aborting.resolve, aborting.reject).then(end);
  }
}

const backpressure = Symbol("backpressure");
const failing = Symbol("failing");
const failed = Symbol("failed");
const closed = Symbol("closed");

class WritableStreamDefaultWriter {
  #stream;
  #ready = quiet();
  #closed = quiet();

  constructor(stream) {
    if (!(stream instanceof WritableStream)) throw new TypeError("a writer needs a WritableStream");
    internals.lock(stream, this);
    this.#stream = stream;
    const state = internals.state(stream);
    if (state === "erroring" || state === "errored") this.#ready.reject(internals.reason(stream));
    else if (internals.desiredSize(stream) > 0 || state === "closed" || internals.isClosing(stream)) this.#ready.resolve();
    if (state === "errored") this.#closed.reject(internals.reason(stream));
    if (state === "closed") this.#closed.resolve();
  }

  get ready() {
    return this.#ready.promise;
  }
  get closed() {
    return this.#closed.promise;
  }
  get desiredSize() {
    if (this.#stream === undefined) throw released();
    return internals.desiredSize(this.#stream);
  }
  get [Symbol.toStringTag]() {
    return "WritableStreamDefaultWriter";
  }

  write(chunk) {
    return this.#stream === undefined ? Promise.reject(released()) : internals.write(this.#stream, chunk);
  }

  close() {
    return this.#stream === undefined ? Promise.reject(released()) : internals.close(this.#stream);
  }

  abort(reason) {
    return this.#stream === undefined ? Promise.reject(released()) : internals.abort(this.#stream, reason);
  }

  releaseLock() {
    if (this.#stream === undefined) return;
    internals.unlock(this.#stream);
    this.#stream = undefined;
    this.#ready = settledQuiet(released());
    this.#closed = settledQuiet(released());
  }

  [backpressure](isOn) {
    if (!isOn) this.#ready.resolve();
    else if (internals.state(this.#stream) === "writable") this.#ready = quiet();
  }

  [failing](reason) {
    this.#ready.reject(reason);
    this.#ready = settledQuiet(reason);
  }

  [failed](reason) {
    this.#closed.reject(reason);
  }

  [closed]() {
    this.#ready.resolve();
    this.#closed.resolve();
  }
}

const released = () => new TypeError("the writer has released its stream");

class TransformStreamDefaultController {
  #hooks;

  constructor(hooks) {
    if (typeof hooks?.enqueue !== "function") throw new TypeError("Illegal constructor");
    this.#hooks = hooks;
  }

  get desiredSize() {
    return this.#hooks.desiredSize();
  }
  get [Symbol.toStringTag]() {
    return "TransformStreamDefaultController";
  }
  enqueue(chunk) {
    this.#hooks.enqueue(chunk);
  }
  error(reason) {
    this.#hooks.error(reason);
  }
  terminate() {
    this.#hooks.terminate();
  }
}

class TransformStream {
  #transformer;
  #readable;
  #writable;
  #controller;
  /** The controller of the readable side. */
  #output;
  #hasBackpressure = true;
  #change = quiet();

  constructor(transformer = {}, writableStrategy = {}, readableStrategy = {}) {
    this.#transformer = transformer ?? {};
    for (const side of ["readableType", "writableType"])
      if (this.#transformer[side] !== undefined) throw new RangeError(`there are no ${side}s of transform streams`);
    const started = Promise.withResolvers();
    this.#writable = new WritableStream(
      {
        start: () => started.promise,
        write: (chunk) => this.#write(chunk),
        close: () => this.#close(),
        abort: (reason) => this.#abort(reason),
      },
      writableStrategy,
    );
    const start = (controller) => {
      this.#output = controller;
      return started.promise;
    };
    const source = { start, pull: () => this.#pull(), cancel: (reason) => this.#cancel(reason) };
    const { mark, sizeOf } = strategyOf(readableStrategy ?? {}, 0);
    this.#readable = new ReadableStream(source, { highWaterMark: mark, size: sizeOf });
    this.#controller = new TransformStreamDefaultController({
      desiredSize: () => this.#output.desiredSize,
      enqueue: (chunk) => this.#enqueue(chunk),
      error: (reason) => this.#fail(reason),
      terminate: () => this.#terminate(),
    });
    started.resolve(this.#transformer.start?.(this.#controller));
  }

  get readable() {
    return this.#readable;
  }
  get writable() {
    return this.#writable;
  }
  get [Symbol.toStringTag]() {
    return "TransformStream";
  }

  #setBackpressure(isOn) {
    this.#change.resolve();
    this.#change = quiet();
    this.#hasBackpressure = isOn;
  }

  #enqueue(chunk) {
    try {
      this.#output.enqueue(chunk);
    } catch (error) {
      this.#failWritable(error);
      throw inspectReadable(this.#readable).reason ?? error;
    }
    if (!inspectReadable(this.#readable).isWanted && !this.#hasBackpressure) this.#setBackpressure(true);
  }

  #fail(reason) {
    this.#output.error(reason);
    this.#failWritable(reason);
  }

  #failWritable(reason) {
    internals.fail(this.#writable, reason);
    if (this.#hasBackpressure) this.#setBackpressure(false);
  }

  #terminate() {
    if (inspectReadable(this.#readable).state === "readable") this.#output.close();
    this.#failWritable(new TypeError("the transform stream has been terminated"));
  }

  async #write(chunk) {
    if (this.#hasBackpressure) {
      await this.#change.promise;
      if (internals.state(this.#writable) === "erroring") throw internals.reason(this.#writable);
    }
    try {
      if (this.#transformer.transform) await this.#transformer.transform(chunk, this.#controller);
      else this.#enqueue(chunk);
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  async #close() {
    try {
      await this.#transformer.flush?.(this.#controller);
    } catch (error) {
      this.#fail(error);
      throw error;
    }
    const { state, reason, isClosing } = inspectReadable(this.#readable);
    if (state === "errored") throw reason;
    if (state === "readable" && !isClosing) this.#output.close();
  }

  async #abort(reason) {
    try {
      await this.#transformer.cancel?.(reason);
    } catch (error) {
      this.#output.error(error);
      throw error;
    }
    this.#output.error(reason);
  }

  #pull() {
    this.#setBackpressure(false);
    return this.#change.promise;
  }

  async #cancel(reason) {
    try {
      await this.#transformer.cancel?.(reason);
    } catch (error) {
      this.#failWritable(error);
      throw error;
    }
    this.#failWritable(reason);
  }
}

WritableStream.prototype[cloning] = uncloneable("WritableStream");
TransformStream.prototype[cloning] = uncloneable("TransformStream");

/** A class whose instances have two sides and a transform stream behind them. */
class Pair {
  #stream;

  constructor(transformer) {
    this.#stream = new TransformStream(transformer);
  }

  get readable() {
    return this.#stream.readable;
  }
  get writable() {
    return this.#stream.writable;
  }
}

class TextEncoderStream extends Pair {
  constructor() {
    const encoder = new TextEncoder();
    let half = "";
    super({
      transform(chunk, controller) {
        const text = half + String(chunk);
        const isHalf = /[\uD800-\uDBFF]$/.test(text);
        half = isHalf ? text.slice(-1) : "";
        const whole = isHalf ? text.slice(0, -1) : text;
        if (whole !== "") controller.enqueue(encoder.encode(whole));
      },
      flush(controller) {
        if (half !== "") controller.enqueue(encoder.encode(half));
      },
    });
  }

  get encoding() {
    return "utf-8";
  }
  get [Symbol.toStringTag]() {
    return "TextEncoderStream";
  }
}

class TextDecoderStream extends Pair {
  #decoder;

  constructor(label, options) {
    const decoder = new TextDecoder(label, options);
    const pass = (text, controller) => {
      if (text !== "") controller.enqueue(text);
    };
    super({
      transform: (chunk, controller) => pass(decoder.decode(chunk, { stream: true }), controller),
      flush: (controller) => pass(decoder.decode(), controller),
    });
    this.#decoder = decoder;
  }

  get encoding() {
    return this.#decoder.encoding;
  }
  get fatal() {
    return this.#decoder.fatal;
  }
  get ignoreBOM() {
    return this.#decoder.ignoreBOM;
  }
  get [Symbol.toStringTag]() {
    return "TextDecoderStream";
  }
}

const FORMATS = ["deflate", "deflate-raw", "gzip"];

/** A transformer that keeps all bytes to the end: pages are rendered as a whole, and need nothing sooner. */
function wholeTransformer(format, convert) {
  const name = String(format);
  if (!FORMATS.includes(name)) throw new TypeError(`there is no compression format "${name}"`);
  const chunks = [];
  return {
    transform(chunk) {
      chunks.push(bytesOf(chunk).slice());
    },
    flush(controller) {
      const bytes = convert(name, binary(joinBytes(chunks)));
      if (!bytes) throw new TypeError(`the data is not ${name}, or not complete`);
      if (bytes.length > 0) controller.enqueue(bytes);
    },
  };
}

class CompressionStream extends Pair {
  constructor(format) {
    super(wholeTransformer(format, host.compress));
  }

  get [Symbol.toStringTag]() {
    return "CompressionStream";
  }
}

class DecompressionStream extends Pair {
  constructor(format) {
    super(wholeTransformer(format, host.decompress));
  }

  get [Symbol.toStringTag]() {
    return "DecompressionStream";
  }
}

/** Why a pipe stops before its source has ended, as `{ reason, from }`; never settles otherwise. */
function interruption(reader, writer, signal) {
  const stop = quiet();
  reader.closed.catch((reason) => stop.resolve({ reason, from: "source" }));
  writer.closed.then(
    () => stop.resolve({ reason: new TypeError("the stream that is piped to has been closed"), from: "target" }),
    (reason) => stop.resolve({ reason, from: "target" }),
  );
  const abort = () => stop.resolve({ reason: signal.reason, from: "signal" });
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  return stop.promise;
}

/** Moves chunks until the source ends, which gives null, or something stops the pipe. */
async function moveChunks(reader, writer, interrupted) {
  let lastWrite = Promise.resolve();
  for (;;) {
    const stopped = await Promise.race([writer.ready.then(() => null, ignore), interrupted]);
    const next = stopped ?? (await Promise.race([reader.read().catch(() => interrupted), interrupted]));
    if (next.from !== undefined || next.done) {
      await lastWrite;
      return next.from === undefined ? null : next;
    }
    lastWrite = writer.write(next.value).catch(ignore);
  }
}

async function finishPipe(stopped, reader, writer, { preventClose, preventAbort, preventCancel }) {
  if (stopped === null) return preventClose || writer.close();
  const { reason, from } = stopped;
  const ends = [];
  if (from !== "target" && !preventAbort) ends.push(writer.abort(reason));
  if (from !== "source" && !preventCancel) ends.push(reader.cancel(reason));
  await Promise.all(ends);
  throw reason;
}

/** What `ReadableStream.prototype.pipeTo` does. */
async function pipe(source, target, options = {}) {
  if (!(target instanceof WritableStream)) throw new TypeError("a stream is piped to a WritableStream");
  if (source.locked || target.locked) throw new TypeError("a stream that is locked cannot be piped");
  const [reader, writer] = [source.getReader(), target.getWriter()];
  const settings = options ?? {};
  try {
    const stopped = await moveChunks(reader, writer, interruption(reader, writer, settings.signal));
    await finishPipe(stopped, reader, writer, settings);
  } finally {
    reader.releaseLock();
    writer.releaseLock();
  }
}

provide("./streams-write.js", {
  CompressionStream,
  DecompressionStream,
  pipe,
  TextDecoderStream,
  TextEncoderStream,
  TransformStream,
  TransformStreamDefaultController,
  WritableStream,
  WritableStreamDefaultController,
  WritableStreamDefaultWriter,
});
