import { define } from "./host.js";
import { inspect } from "./inspect.js";
import { noteMessage } from "./notes.js";

const writer = (name, kind) => {
  const write = (...values) => noteMessage(kind, values, write);
  Object.defineProperty(write, "name", { value: name });
  return write;
};

function assert(condition, ...values) {
  if (!condition) noteMessage("error", ["Assertion failed:", ...values], assert);
}

function dir(value) {
  noteMessage("log", [inspect(value)], dir);
}

const silent = () => {};

export const console = {
  assert,
  dir,
  clear: silent,
  count: silent,
  countReset: silent,
  group: silent,
  groupCollapsed: silent,
  groupEnd: silent,
  time: silent,
  timeEnd: silent,
  timeLog: silent,
  timeStamp: silent,
};
for (const name of ["debug", "dirxml", "info", "log", "table", "trace"]) {
  define(console, { [name]: writer(name, "log") });
}
define(console, { error: writer("error", "error"), warn: writer("warn", "warn") });
