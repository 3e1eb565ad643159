// What generated modules call. It runs outside of the bundle, before any of it, on both sides of the comparison.

const log = [];
const offers = new Map();
const pending = [];
/** For `$require`: functions that evaluate CommonJS modules, namespaces of ES modules, and what has been asked for. */
const definitions = new Map();
const namespaces = new Map();
const cache = new Map();
/** The load that was started last, and how many have not ended. */
let loading;
let unfinished = 0;

/** Stands for what a read gave that came too early; whoever compares logs knows it. */
const TOO_EARLY = "<too early>";

/** Marks a log of something that is no program at all. */
const INVALID = "<invalid>";

function failure(error) {
  const message = String(error?.message);
  if (message.startsWith("boom ")) return `threw ${message}`;
  if (error instanceof ReferenceError && message.includes("is not initialized")) return TOO_EARLY;
  if (error instanceof ReferenceError || error instanceof SyntaxError) return `${INVALID} ${error}`;
  return error instanceof Error ? `threw ${error.name}` : `threw ${String(error)}`;
}

function attempt(get, depth = 0) {
  try {
    return show(get(), depth);
  } catch (error) {
    return failure(error);
  }
}

const isNamespace = (value) => value[Symbol.toStringTag] === "Module";

/** Properties that every function has. */
const OF_FUNCTIONS = ["length", "name", "prototype"];

function show(value, depth) {
  if (typeof value === "string") return JSON.stringify(value);
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return String(value);
  if (value instanceof Promise) return "promise";
  if (value instanceof Error) return failure(value);
  if (depth > 3) return "…";
  if (Array.isArray(value)) return `[${value.map((_, at) => attempt(() => value[at], depth + 1)).join(", ")}]`;
  const isFunction = typeof value === "function";
  const keys = Reflect.ownKeys(value).filter((key) => typeof key === "string");
  const shown = keys.filter((key) => !isFunction || !OF_FUNCTIONS.includes(key));
  const members = shown.map((key) => `${key}: ${attempt(() => value[key], depth + 1)}`).join(", ");
  return `${isFunction ? "function" : isNamespace(value) ? "namespace" : ""}{${members}}`;
}

/** All that can be seen of a namespace without changing it. */
function inspect(namespace) {
  const seen = {
    tag: Object.prototype.toString.call(namespace),
    prototype: Object.getPrototypeOf(namespace),
    keys: Object.keys(namespace).join(),
    names: Object.getOwnPropertyNames(namespace).join(),
    json: JSON.stringify(Object.keys({ ...namespace })),
    has: "toString" in namespace,
    missing: namespace.noSuchExport,
  };
  const each = [];
  for (const key in namespace) each.push(key);
  return { ...seen, each: each.join() };
}

/** What only the namespaces of the language itself show. */
function inspectClosely(namespace) {
  const key = Object.keys(namespace)[0];
  const descriptor = key === undefined ? undefined : Object.getOwnPropertyDescriptor(namespace, key);
  return {
    extensible: Object.isExtensible(namespace),
    writable: descriptor?.writable,
    configurable: descriptor?.configurable,
    defined: Reflect.set(namespace, "noSuchExport", 1),
  };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

/** Waits until nothing is left to run and every load has ended. */
async function drain() {
  await settle();
  while (unfinished > 0) await settle();
}

function logOutcomes() {
  const outcomes = pending.splice(0).map(({ label, outcome }) => `slot ${label} ${attempt(outcome)}`);
  log.push(...outcomes.sort());
}

const outcome = async (act) => {
  try {
    const value = await act();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
};

Object.assign(globalThis, {
  $id: (value) => value,

  $define: (specifier, evaluate) => definitions.set(specifier, evaluate),

  $register: (specifier, namespace) => namespaces.set(specifier, namespace),

  $require,

  $log(text) {
    log.push(text);
    return text;
  },

  $Log: class {
    constructor(text) {
      log.push(text);
    }
  },

  $tag(_texts, text) {
    log.push(text);
  },

  $boom: (module) => new Error(`boom ${module}`),

  $show: (value) => show(value, 0),

  /** Reads what may come too early. */
  $read(label, get) {
    log.push(`${label} ${attempt(get)}`);
  },

  $inspect(label, namespace) {
    log.push(`${label} ${attempt(() => inspect(namespace))}`);
  },

  $inspectClosely(label, namespace) {
    log.push(`${label} ${attempt(() => inspectClosely(namespace))}`);
  },

  /**
   * Loads what nobody awaits: its outcome is logged when nothing is left to run. Which of two loads that run side by side
   * ends first is not for the language to say, so a second one waits for the first.
   */
  $slot(label, load) {
    const slot = { label };
    pending.push(slot);
    const start = () => outcome(load).then((value) => (slot.outcome = value));
    loading = unfinished++ === 0 ? start() : loading.then(settle).then(start);
    loading.then(() => unfinished--);
  },

  /** Something to be called by the test, and whether it is always called at the end. */
  $offer(label, act, atTheEnd = false) {
    offers.set(label, { act, atTheEnd });
  },

  $call: (label) => (offers.has(label) ? offers.get(label).act() : "nothing"),

  /** A step of the test. Whatever it starts has ended before the next one. */
  async $step(label, act) {
    log.push(`-- ${label}`);
    const result = await outcome(act);
    await drain();
    log.push(`= ${attempt(result)}`);
    logOutcomes();
  },

  /** The last step: the log. */
  async $finish() {
    log.push("-- end");
    for (const label of [...offers.keys()].sort()) {
      const { act, atTheEnd } = offers.get(label);
      if (atTheEnd) log.push(`= ${label} ${attempt(act)}`);
    }
    return log;
  },
});

/**
 * The `require` of Node.js, for the reference: what was asked for once is there, even while it runs, and what threw is as if
 * nobody had asked. An ES module gives its namespace; the engine cannot be made to run one at once, so it must have run.
 */
function $require(specifier) {
  if (cache.has(specifier)) return cache.get(specifier).exports;
  if (namespaces.has(specifier)) return namespaces.get(specifier);
  const evaluate = definitions.get(specifier);
  if (!evaluate) throw new ReferenceError(`${specifier} cannot be required`);
  const module = { exports: {} };
  cache.set(specifier, module);
  try {
    evaluate.call(module.exports, module.exports, module, $require);
  } catch (error) {
    cache.delete(specifier);
    throw error;
  }
  return module.exports;
}

/** Loads the entries of a program one after another and runs the test that the one numbered `main` exports. */
async function runProgram(folder, isReference, entries, main) {
  for (const state of [offers, definitions, namespaces, cache]) state.clear();
  for (const state of [log, pending]) state.length = 0;
  if (isReference) await import(`./${folder}/definitions.mjs`);
  let test;
  for (const [number, entry] of entries.entries()) {
    log.push(`-- load ${number}`);
    const loaded = await outcome(() => import(`./${folder}/${entry}`));
    await drain();
    log.push(`= ${attempt(loaded)}`);
    logOutcomes();
    if (number === main) test = loaded().test;
  }
  return [...(await test())];
}

/** The log of each program, or how it failed. */
export async function run(sides) {
  const logs = [];
  for (const { folder, isReference, entries, main } of JSON.parse(sides)) {
    try {
      logs.push([await runProgram(folder, isReference, entries, main), null]);
    } catch (error) {
      logs.push([null, `${error?.name}: ${error?.message}`]);
    }
  }
  return logs;
}
