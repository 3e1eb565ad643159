// What emitted chunks need at run time. Each function is kept only where something calls it.

/** Evaluates a CommonJS module at the first call; an evaluation that throws is not remembered. */
export function commonJS(evaluate) {
  let module;
  return () => {
    if (!module) {
      module = { exports: {} };
      try {
        evaluate(module.exports, module);
      } catch (error) {
        module = undefined;
        throw error;
      }
    }
    return module.exports;
  };
}

/** The same for a module that looks at what `module` says about itself. An entry has no parent. */
export function describedCommonJS(filename, isEntry, evaluate) {
  return commonJS((exports, module) => {
    const path = filename.slice(0, filename.lastIndexOf("/")) || "/";
    const parent = isEntry ? null : {};
    Object.assign(module, { id: filename, filename, path, parent, loaded: false, children: [], paths: [] });
    evaluate(exports, module);
    module.loaded = true;
  });
}

/** Evaluates a module at the first call; an evaluation that failed stays failed. */
export function deferred(evaluate) {
  let result, failure;
  return () => {
    if (evaluate) {
      const run = evaluate;
      // A module that comes back to itself in a cycle goes on without waiting for itself.
      evaluate = undefined;
      try {
        result = run();
      } catch (error) {
        failure = { error };
      }
    }
    if (failure) throw failure.error;
    return result;
  };
}

/** The same for a module that waits. Gives a promise as long as there is something to wait for, and if it failed. */
export function deferredWaiting(evaluate) {
  let result;
  return () => {
    if (evaluate) {
      const run = evaluate;
      evaluate = undefined;
      result = run().then(() => {
        result = undefined;
      });
    }
    return result;
  };
}

/** The namespace object of an ES module; each getter reads the live binding. What `exportStar` completes stays open. */
export function namespace(getters, isOpen) {
  const object = Object.create(null);
  for (const name of Object.keys(getters).sort()) {
    Object.defineProperty(object, name, { enumerable: true, get: getters[name] });
  }
  Object.defineProperty(object, Symbol.toStringTag, { value: "Module" });
  return isOpen ? object : Object.preventExtensions(object);
}

/** Adds what `export *` takes from modules whose names show only when they have run. */
export function exportStar(object, ...modules) {
  for (const exports of modules) {
    for (const name of exportedNames(exports)) {
      if (name === "default" || Object.hasOwn(object, name)) continue;
      Object.defineProperty(object, name, { enumerable: true, get: () => exports[name] });
    }
  }
  Object.preventExtensions(object);
}

/**
 * Names of what somebody has exported, whether it can be enumerated or not, without the mark of compiled ES modules and
 * what a function has without anyone's doing.
 */
export function exportedNames(exports) {
  const isFunction = typeof exports === "function";
  const names = exports && (isFunction || typeof exports === "object") ? Object.getOwnPropertyNames(exports) : [];
  const isOwn = (name) => isFunction && ["length", "name", "prototype", "arguments", "caller"].includes(name);
  return names.filter((name) => name !== "__esModule" && !(isOwn(name) && !isEnumerable(exports, name)));
}

function isEnumerable(object, name) {
  return Object.prototype.propertyIsEnumerable.call(object, name);
}

/** What `import x from` a CommonJS module means where `__esModule` is honoured, as far as there is a default export. */
export function interopDefault(exports) {
  return hasDefault(exports) ? exports.default : exports;
}

function hasDefault(exports) {
  return exports && exports.__esModule && "default" in exports;
}

/** What `import * as x from` a CommonJS module means; Node always makes `default` the whole exports. */
export function interopNamespace(exports, node) {
  const getters = {};
  for (const name of exportedNames(exports)) getters[name] = () => exports[name];
  if (node || !hasDefault(exports)) getters.default = () => exports;
  const object = namespace(getters, true);
  for (const name of inheritedNames(exports)) {
    if (!(name in object)) Object.defineProperty(object, name, { get: () => exports[name] });
  }
  return Object.preventExtensions(object);
}

/** Names of what exports have from classes of their own: `module.exports = new Player()`. */
function inheritedNames(exports) {
  const names = [];
  for (let object = prototypeOf(exports); object && prototypeOf(object); object = prototypeOf(object)) {
    if (object !== Function.prototype && object !== Array.prototype) names.push(...exportedNames(object));
  }
  return names;
}

function prototypeOf(value) {
  return value == null ? null : Object.getPrototypeOf(value);
}

/** Stands for `require` of something that could not be found when the site was built. */
export function missing(specifier) {
  const error = new Error(`Cannot find module '${specifier}'`);
  error.code = "MODULE_NOT_FOUND";
  throw error;
}

/** How long a network may take to recover, in milliseconds. */
const pause = 250;

/** How long the next document may take to come, in milliseconds. A download looks like one, and never comes. */
const patience = 10_000;

/** When the visitor set off for another document, as far as that is watched. */
let left = -Infinity;

/** Tries once more what failed. What fails twice is gone. */
export function twice(attempt) {
  return attempt().catch(() => {
    addEventListener("beforeunload", () => (left = performance.now()));
    // The document that was left is the one that shows again.
    addEventListener("pageshow", ({ persisted }) => persisted && (left = -Infinity));
    return new Promise((resolve) => setTimeout(resolve, pause)).then(attempt);
  });
}

/** Whether the visitor is on the way to another document. */
export function isLeaving() {
  return performance.now() - left < patience;
}

/** Where the style sheets that were asked for stand among all of them, by their URLs. */
const places = new Map();
/** Their loading. */
const sheets = new Map();

/**
 * Loads style sheets beside a lazy chunk; the chunk counts as loaded when all of them are. Each sheet has a place among
 * all of the program, and is put there, whatever the document has already. `hashes` are for those that the document knows
 * none for. Where there is no document, as in a worker, there is nothing to style.
 */
export function withStyles(wanted, loading, hashes) {
  if (typeof document === "undefined") return loading;
  const all = Object.keys(wanted).map((href) => {
    const url = new URL(href, import.meta.url).href;
    places.set(url, wanted[href]);
    return loadSheet(url, hashes?.[href]);
  });
  return Promise.all([loading, ...all]).then(([module]) => module);
}

function loadSheet(url, hash) {
  if (!sheets.has(url)) sheets.set(url, linked().some((link) => link.href === url) ? undefined : insertSheet(url, hash));
  return sheets.get(url);
}

function linked() {
  return [...document.querySelectorAll("link[rel=stylesheet]")];
}

function insertSheet(url, hash) {
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = url;
    if (import.meta.env.INTEGRITY) link.integrity = hash ?? integrityOf(url);
    const fail = () => {
      // The next attempt starts afresh.
      sheets.delete(url);
      link.remove();
      reject(new Error(`Cannot load ${url}`));
    };
    link.onload = async () => ((await isApplied(link)) ? resolve() : fail());
    link.onerror = fail;
    const next = linked().find((other) => places.get(other.href) > places.get(url));
    if (next) next.before(link);
    else document.head.append(link);
  });
}

/**
 * Whether what has loaded is a style sheet. Chromium takes any other type for an empty one, unless the host forbids it to:
 * the document, say, that some hosts answer every address with.
 */
async function isApplied(link) {
  try {
    if (link.sheet.cssRules.length) return true;
    const { headers } = await fetch(link.href);
    return /css/.test(headers.get("content-type"));
  } catch {
    // It is of another origin, or cannot be asked for.
    return true;
  }
}

/** The hash that the document knows a file by. */
function integrityOf(url) {
  const map = document.querySelector("script[type=importmap]");
  return JSON.parse(map?.textContent || "{}").integrity?.[new URL(url).pathname] ?? "";
}

/** Stands for `require` where what it is called with shows only at run time. */
export function unknownRequire(specifier) {
  missing(specifier);
}

/** What `require` of an ES module gives: its exports, marked so that compiled importers know them for those of one. */
export function toCommonJS(namespace) {
  const exports = {};
  for (const name of Object.keys(namespace)) {
    Object.defineProperty(exports, name, { enumerable: true, get: () => namespace[name] });
  }
  return "__esModule" in exports ? exports : Object.defineProperty(exports, "__esModule", { value: true });
}

/** The URL of a file while pages are prerendered: where they will be served shows only later, so it has no origin. */
export function addressOf(path) {
  const url = new URL(path, "http://localhost");
  const same = { value: () => path };
  return Object.defineProperties(url, { href: { value: path }, toString: same, toJSON: same });
}
