// ReadableStream: default readers, back pressure, cancelling, tee, async iteration. Byte streams are read through default
// readers; there is no BYOB reader. What writes is in `streams-write.js`.

import { load } from "./lazy.js";

/** What a reader may do with its stream, out of scripts' reach. */
let lock;
let unlock;
let read;
let cancel;
/** What a transform stream must know of its readable side. */
export let inspectReadable;

class Controller {
  #hooks;

  constructor(hooks) {
    this.#hooks = hooks;
  }

  get desiredSize() { return this.#hooks.desiredSize(); }
  enqueue(chunk) { this.#hooks.enqueue(chunk); }
  close() { this.#hooks.close(); }
  error(reason) { this.#hooks.error(reason); }
}

export class ReadableStreamDefaultController extends Controller {
  get [Symbol.toStringTag]() { return "ReadableStreamDefaultController"; }
}

export class ReadableByteStreamController extends Controller {
  get byobRequest() { return null; }
  get [Symbol.toStringTag]() { return "ReadableByteStreamController"; }

  enqueue(chunk) {
    if (!ArrayBuffer.isView(chunk) || chunk.byteLength === 0) {
      throw new TypeError("a byte stream takes views that are not empty");
    }
    super.enqueue(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  }
}

export class ReadableStreamDefaultReader {
  #stream;
  #closed = Promise.withResolvers();

  constructor(stream) {
    // A reader that nobody asks whether it is closed is no unhandled rejection.
    this.#closed.promise.catch(() => {});
    lock(stream, this.#closed);
    this.#stream = stream;
  }

  get closed() { return this.#closed.promise; }
  get [Symbol.toStringTag]() { return "ReadableStreamDefaultReader"; }

  read() {
    return this.#stream === undefined ? Promise.reject(released()) : read(this.#stream);
  }

  cancel(reason) {
    return this.#stream === undefined ? Promise.reject(released()) : cancel(this.#stream, reason);
  }

  releaseLock() {
    if (this.#stream === undefined) return;
    const reason = released();
    unlock(this.#stream, reason);
    this.#stream = undefined;
    this.#closed.reject(reason);
    this.#closed = Promise.withResolvers();
    this.#closed.promise.catch(() => {});
    this.#closed.reject(reason);
  }
}

const released = () => new TypeError("the reader has released its stream");

export class ReadableStream {
  #source;
  #controller;
  #queue = [];
  #queued = 0;
  #sizeOf;
  #mark;
  /** Reads that wait for a chunk. */
  #waiting = [];
  #state = "readable";
  #closing = false;
  #reason;
  #started = false;
  #pulling = false;
  #pullAgain = false;
  /** The `closed` promise of the reader that holds the lock. */
  #closed = null;

  static {
    lock = (stream, closed) => stream.#lock(closed);
    unlock = (stream, reason) => stream.#unlock(reason);
    read = (stream) => stream.#read();
    cancel = (stream, reason) => stream.#cancel(reason);
    inspectReadable = (stream) => ({
      state: stream.#state,
      reason: stream.#reason,
      isClosing: stream.#closing,
      isWanted: stream.#waiting.length > 0 || stream.#desiredSize() > 0,
    });
  }

  constructor(source, strategy) {
    const type = source?.type;
    if (type !== undefined && type !== "bytes") throw new TypeError(`there is no stream of type ${String(type)}`);
    const bytes = type === "bytes";
    this.#source = source ?? {};
    this.#sizeOf = bytes ? (chunk) => chunk.byteLength : (strategy?.size ?? (() => 1));
    this.#mark = Number(strategy?.highWaterMark ?? (bytes ? 0 : 1));
    if (!(this.#mark >= 0)) throw new RangeError("highWaterMark must be zero or more");
    this.#controller = new (bytes ? ReadableByteStreamController : ReadableStreamDefaultController)(this.#hooks());
    Promise.resolve(this.#source.start?.(this.#controller)).then(
      () => {
        this.#started = true;
        this.#pullIfNeeded();
      },
      (reason) => this.#fail(reason),
    );
  }

  static from(iterable) {
    const iterator = iterable[Symbol.asyncIterator]?.() ?? iterable[Symbol.iterator]();
    const source = {
      async pull(controller) {
        const { value, done } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(await value);
      },
      cancel: (reason) => iterator.return?.(reason),
    };
    return new ReadableStream(source, { highWaterMark: 0 });
  }

  get locked() { return this.#closed !== null; }
  get [Symbol.toStringTag]() { return "ReadableStream"; }

  getReader(options) {
    if (options?.mode !== undefined) throw new TypeError("BYOB readers are not available while prerendering");
    return new ReadableStreamDefaultReader(this);
  }

  cancel(reason) {
    return this.locked ? Promise.reject(locked()) : this.#cancel(reason);
  }

  async pipeTo(target, options) {
    return load("./streams-write.js").pipe(this, target, options);
  }

  pipeThrough(pair, options) {
    const { readable, writable } = pair;
    const { WritableStream } = load("./streams-write.js");
    if (!(readable instanceof ReadableStream) || !(writable instanceof WritableStream))
      throw new TypeError("a stream is piped through a pair of a writable and a readable stream");
    if (this.locked || writable.locked) throw new TypeError("a stream that is locked cannot be piped");
    this.pipeTo(writable, options).catch(() => {});
    return readable;
  }

  tee() {
    return splitInTwo(this.getReader());
  }

  async *values({ preventCancel = false } = {}) {
    const reader = this.getReader();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    } finally {
      if (!preventCancel && this.#state === "readable") await reader.cancel();
      reader.releaseLock();
    }
  }

  [Symbol.asyncIterator](options) {
    return this.values(options);
  }

  #hooks() {
    return {
      desiredSize: () => this.#desiredSize(),
      enqueue: (chunk) => this.#enqueue(chunk),
      close: () => this.#requestClose(),
      error: (reason) => this.#fail(reason),
    };
  }

  #lock(closed) {
    if (this.locked) throw locked();
    this.#closed = closed;
    if (this.#state === "closed") closed.resolve();
    if (this.#state === "errored") closed.reject(this.#reason);
  }

  #unlock(reason) {
    this.#closed = null;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(reason);
  }

  #desiredSize() {
    if (this.#state === "errored") return null;
    return this.#state === "closed" ? 0 : this.#mark - this.#queued;
  }

  #enqueue(chunk) {
    this.#requireOpen();
    if (this.#waiting.length > 0) {
      this.#waiting.shift().resolve({ value: chunk, done: false });
    } else {
      const size = Number(this.#sizeOf(chunk));
      this.#queue.push({ chunk, size });
      this.#queued += size;
    }
    this.#pullIfNeeded();
  }

  #read() {
    if (this.#queue.length > 0) return Promise.resolve({ value: this.#dequeue(), done: false });
    if (this.#state === "closed") return Promise.resolve({ value: undefined, done: true });
    if (this.#state === "errored") return Promise.reject(this.#reason);
    const waiting = Promise.withResolvers();
    this.#waiting.push(waiting);
    this.#pullIfNeeded();
    return waiting.promise;
  }

  #dequeue() {
    const { chunk, size } = this.#queue.shift();
    this.#queued -= size;
    if (this.#closing && this.#queue.length === 0) this.#close();
    else this.#pullIfNeeded();
    return chunk;
  }

  #pullIfNeeded() {
    const wanted = this.#waiting.length > 0 || this.#desiredSize() > 0;
    if (!wanted || !this.#started || this.#closing || this.#state !== "readable") return;
    if (this.#pulling) {
      this.#pullAgain = true;
      return;
    }
    this.#pulling = true;
    this.#pullAgain = false;
    // An async function, so that a `pull` that throws is one that rejects.
    const pull = async () => this.#source.pull?.(this.#controller);
    pull().then(
      () => {
        this.#pulling = false;
        if (this.#pullAgain) this.#pullIfNeeded();
      },
      (reason) => this.#fail(reason),
    );
  }

  #requestClose() {
    this.#requireOpen();
    if (this.#queue.length === 0) this.#close();
    else this.#closing = true;
  }

  #requireOpen() {
    if (this.#state === "readable" && !this.#closing) return;
    throw new TypeError("the stream takes nothing more: it is closed or has failed");
  }

  #close() {
    this.#state = "closed";
    for (const waiting of this.#waiting.splice(0)) waiting.resolve({ value: undefined, done: true });
    this.#closed?.resolve();
  }

  #fail(reason) {
    if (this.#state !== "readable") return;
    this.#state = "errored";
    this.#reason = reason;
    this.#queue = [];
    this.#queued = 0;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(reason);
    this.#closed?.reject(reason);
  }

  async #cancel(reason) {
    if (this.#state === "errored") throw this.#reason;
    if (this.#state === "closed") return;
    this.#queue = [];
    this.#queued = 0;
    this.#close();
    await this.#source.cancel?.(reason);
  }
}

const locked = () => new TypeError("the stream is locked by a reader");

/** Two streams that each give everything that `reader` reads. */
function splitInTwo(reader) {
  const open = new Map();
  const pull = async () => {
    const { value, done } = await reader.read();
    for (const [branch, controller] of open) {
      if (!done) controller.enqueue(value);
      else if (open.delete(branch)) controller.close();
    }
  };
  const branch = (name) => {
    const start = (controller) => void open.set(name, controller);
    const stop = (reason) => (open.delete(name) && open.size === 0 ? reader.cancel(reason) : undefined);
    return new ReadableStream({ start, pull, cancel: stop }, { highWaterMark: 0 });
  };
  const pair = [branch("first"), branch("second")];
  reader.closed.catch((reason) => {
    for (const controller of open.values()) controller.error(reason);
  });
  return pair;
}

export class CountQueuingStrategy {
  constructor({ highWaterMark }) {
    this.highWaterMark = Number(highWaterMark);
  }

  size() { return 1; }
}

export class ByteLengthQueuingStrategy extends CountQueuingStrategy {
  size(chunk) { return chunk.byteLength; }
}
