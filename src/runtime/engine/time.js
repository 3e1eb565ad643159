// A clock that moves only from timer to timer, so that a page renders the same whenever and wherever it is built,
// and never waits.

import { define } from "./host.js";
import { noteDifference, noteUncaught } from "./notes.js";

/** What `Date.now()` starts at: 2000-01-01T00:00:00Z, plainly not today and safe for code that expects a past. */
const EPOCH = 946_684_800_000;
/** A page that waits longer than this, by its own clock, waits for ever. */
const LATEST = 10 * 60 * 1000;

let elapsed = 0;
let lastId = 0;
/** Sorted by due time; equal times in the order of their setting. */
const queue = [];

function insert(timer) {
  let index = queue.length;
  while (index > 0 && queue[index - 1].due > timer.due) index -= 1;
  queue.splice(index, 0, timer);
}

function schedule(callback, delay, repeats, values) {
  if (typeof callback !== "function") throw new TypeError("a timer needs a function to call");
  // At least one millisecond, or a timer that sets itself anew would stop the clock.
  const period = Math.max(1, Math.trunc(Number(delay)) || 0);
  lastId += 1;
  insert({ id: lastId, due: elapsed + period, period: repeats ? period : 0, callback, values });
  return lastId;
}

function clear(id) {
  const index = queue.findIndex((timer) => timer.id === id);
  if (index >= 0) queue.splice(index, 1);
}

/** Moves the clock to the next timer and runs it; false when there is none that a page could sensibly wait for. */
export function fireNextTimer() {
  if (queue.length === 0 || queue[0].due > LATEST) return false;
  const timer = queue.shift();
  elapsed = timer.due;
  if (timer.period > 0) insert({ ...timer, due: elapsed + timer.period });
  try {
    timer.callback(...timer.values);
  } catch (error) {
    noteUncaught(error);
  }
  return true;
}

export const timers = {
  setTimeout: (callback, delay, ...values) => schedule(callback, delay, false, values),
  setInterval: (callback, delay, ...values) => schedule(callback, delay, true, values),
  setImmediate: (callback, ...values) => schedule(callback, 0, false, values),
  clearTimeout: clear,
  clearInterval: clear,
  clearImmediate: clear,
};

export const performance = { now: () => elapsed, timeOrigin: EPOCH, toJSON: () => ({ timeOrigin: EPOCH }) };
define(performance, { mark: () => undefined, measure: () => undefined });

const NativeDate = Date;
const { UTC, parse: parseNative, prototype } = NativeDate;
const { getTime } = prototype;

/** Dates whose local fields mean the same in every time zone (they were given as such), or that are noted already. */
const zoneless = new WeakSet();

const ISO_LOCAL = /^\s*[+-]?\d{4,6}-\d\d(-\d\d)?T[\d:.,]+\s*$/;
const DATE_ONLY = /^\s*[+-]?\d{4,6}(-\d\d){0,2}\s*$/;
const NAMES_ZONE = /(Z|[+-]\d\d:?\d\d|UT|UTC|GMT|[ECMP][SD]T)\s*(\(.*\))?\s*$/i;

/** Parses with UTC for the local time zone: the machine's own must not reach a page. */
function parse(text) {
  if (DATE_ONLY.test(text) || NAMES_ZONE.test(text)) return parseNative(text);
  return parseNative(ISO_LOCAL.test(text) ? `${text.trim()}Z` : `${text} UTC`);
}

/** Reads the clock. */
export function clock(what, above) {
  noteDifference("clock", what, above);
  return EPOCH + elapsed;
}

function timeOf(values, above) {
  if (values.length === 0) return clock("new Date()", above);
  if (values.length > 1) return UTC(...values);
  const [value] = values;
  if (value instanceof NativeDate) return getTime.call(value);
  return typeof value === "string" ? parse(value) : value;
}

function VirtualDate(...values) {
  if (new.target === undefined) {
    return text(new NativeDate(clock("Date()", VirtualDate)), "full");
  }
  const date = Reflect.construct(NativeDate, [timeOf(values, VirtualDate)], new.target);
  const [value] = values;
  const local = typeof value === "string" && !DATE_ONLY.test(value) && !NAMES_ZONE.test(value);
  if (values.length !== 1 || local || zoneless.has(value)) zoneless.add(date);
  return date;
}
Object.defineProperty(VirtualDate, "name", { value: "Date" });
Object.defineProperty(VirtualDate, "length", { value: 7 });
Object.defineProperty(VirtualDate, "prototype", { value: prototype, writable: false });

function now() {
  return clock("Date.now()", now);
}
define(VirtualDate, { UTC, parse: (value) => parse(String(value)), now });

/** `Sat, 01 Jan 2000 00:00:00 GMT` rearranged the way `toString` and its kin arrange it. */
function text(date, form) {
  if (Number.isNaN(getTime.call(date))) return "Invalid Date";
  const [weekday, day, month, year, time] = prototype.toUTCString.call(date).split(" ");
  const dateText = `${weekday.slice(0, 3)} ${month} ${day} ${year}`;
  const timeText = `${time} GMT+0000 (Coordinated Universal Time)`;
  return { date: dateText, time: timeText, full: `${dateText} ${timeText}` }[form];
}

/** Notes that the local time zone decides about a text, unless the date was given in that zone, too. */
export function noteZone(date, what, above) {
  if (!zoneless.has(date)) noteDifference("zone", what, above);
}

const FIELDS = ["FullYear", "Month", "Date", "Hours", "Minutes", "Seconds", "Milliseconds"];

function defineGetter(field) {
  const read = prototype[`getUTC${field}`];
  const name = `get${field}`;
  define(prototype, {
    [name]: function getter() {
      noteZone(this, `${name}()`, getter);
      return read.call(this);
    },
  });
}

function defineLocalFields() {
  for (const field of [...FIELDS, "Day"]) defineGetter(field);
  for (const field of FIELDS) define(prototype, { [`set${field}`]: prototype[`setUTC${field}`] });
  define(prototype, {
    constructor: VirtualDate,
    getYear() {
      return this.getFullYear() - 1900;
    },
    getTimezoneOffset: function getTimezoneOffset() {
      noteZone(this, "getTimezoneOffset()", getTimezoneOffset);
      return Number.isNaN(getTime.call(this)) ? NaN : 0;
    },
  });
}

function defineText(name, form) {
  define(prototype, {
    [name]: function toText() {
      noteZone(this, `${name}()`, toText);
      return text(this, form);
    },
  });
}

/** Replaces the engine's `Date` by one that reads the virtual clock and lives in UTC. */
export function installDate() {
  defineLocalFields();
  defineText("toString", "full");
  defineText("toDateString", "date");
  defineText("toTimeString", "time");
  define(globalThis, { Date: VirtualDate });
}
