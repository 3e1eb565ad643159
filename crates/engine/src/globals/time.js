// A clock that moves only from timer to timer, so that a page renders the same whenever and wherever it is built,
// and never waits. The local time zone is UTC, unless a page is rendered once more to see whether it depends on the zone.

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
  clearTimeout: clear,
  clearInterval: clear,
};

export const performance = { now: () => elapsed, timeOrigin: EPOCH, toJSON: () => ({ timeOrigin: EPOCH }) };
const nothing = () => undefined;
const none = () => [];
define(performance, {
  mark: nothing,
  measure: nothing,
  clearMarks: nothing,
  clearMeasures: nothing,
  getEntries: none,
  getEntriesByName: none,
  getEntriesByType: none,
});

const NativeDate = Date;
const { UTC, parse: parseNative, prototype } = NativeDate;
const { getTime, setTime } = prototype;

/** Dates whose local fields mean the same in every time zone (they were given as such), or that are noted already. */
const zoneless = new WeakSet();

const MINUTE = 60_000;
/** How far the local time zone is ahead of UTC, in milliseconds. */
let zone = 0;

/** A date whose fields in UTC are those of `date` in the local time zone. */
const toLocal = (date) => (zone === 0 ? date : new NativeDate(getTime.call(date) + zone));

const twoDigits = (value) => String(Math.trunc(value)).padStart(2, "0");

/** `+12:45`, with another text between hours and minutes */
function zoneOffset(between) {
  const minutes = Math.abs(zone) / MINUTE;
  return `${zone < 0 ? "-" : "+"}${twoDigits(minutes / 60)}${between}${twoDigits(minutes % 60)}`;
}

/** The name of the local time zone, as `Intl` takes it. */
export const localZone = () => (zone === 0 ? "UTC" : zoneOffset(":"));

const ISO_LOCAL = /^\s*[+-]?\d{4,6}-\d\d(-\d\d)?T[\d:.,]+\s*$/;
const DATE_ONLY = /^\s*[+-]?\d{4,6}(-\d\d){0,2}\s*$/;
const NAMES_ZONE = /(Z|[+-]\d\d:?\d\d|UT|UTC|GMT|[ECMP][SD]T)\s*(\(.*\))?\s*$/i;

/** Parses without the machine's own time zone, which must not reach a page. */
function parse(text) {
  if (DATE_ONLY.test(text) || NAMES_ZONE.test(text)) return parseNative(text);
  return parseNative(ISO_LOCAL.test(text) ? `${text.trim()}Z` : `${text} UTC`) - zone;
}

/** What a reading of the clock differs by that is to be another: nothing from the year to the millisecond is the same. */
const ANOTHER_TIME = Date.UTC(2011, 4, 18, 13, 27, 43, 571) - EPOCH;

/** Reads the clock. */
export function clock(what, above) {
  const isVaried = noteDifference("clock", what, above);
  return EPOCH + elapsed + (isVaried ? ANOTHER_TIME : 0);
}

function timeOf(values, above) {
  if (values.length === 0) return clock("new Date()", above);
  if (values.length > 1) return UTC(...values) - zone;
  const [value] = values;
  if (value instanceof NativeDate) return getTime.call(value);
  return typeof value === "string" ? parse(value) : value;
}

function VirtualDate(...values) {
  if (new.target === undefined) {
    return text(toLocal(new NativeDate(clock("Date()", VirtualDate))), "full");
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

/** `Sat, 01 Jan 2000 00:00:00 GMT`, of a local date, rearranged the way `toString` and its kin arrange it. */
function text(date, form) {
  if (Number.isNaN(getTime.call(date))) return "Invalid Date";
  const [weekday, day, month, year, time] = prototype.toUTCString.call(date).split(" ");
  const dateText = `${weekday.slice(0, 3)} ${month} ${day} ${year}`;
  const timeText = `${time} GMT${zoneOffset("")} (${zone === 0 ? "Coordinated Universal Time" : localZone()})`;
  return { date: dateText, time: timeText, full: `${dateText} ${timeText}` }[form];
}

/**
 * Notes that the local time zone decides about a text, unless the date was given in that zone, too. True when the text
 * is to be another.
 */
export const noteZone = (date, what, above) => !zoneless.has(date) && noteDifference("zone", what, above);

/** How far away another time zone is, in which a date's day, hour and minute are others. */
function offsetElsewhere(date) {
  return (prototype.getUTCHours.call(date) < 12 ? -765 : 765) * MINUTE;
}

const elsewhere = (date) => new NativeDate(getTime.call(date) + offsetElsewhere(date));

/** The date whose fields in UTC a local reading of `date` gives, which is noted. */
function noted(date, what, above) {
  const local = toLocal(date);
  return noteZone(date, what, above) ? elsewhere(local) : local;
}

const FIELDS = ["FullYear", "Month", "Date", "Hours", "Minutes", "Seconds", "Milliseconds"];

function defineGetter(field) {
  const read = prototype[`getUTC${field}`];
  const name = `get${field}`;
  define(prototype, {
    [name]: function getter() {
      return read.call(noted(this, `${name}()`, getter));
    },
  });
}

function defineSetter(field) {
  const write = prototype[`setUTC${field}`];
  const toZone = function (...values) {
    const local = toLocal(this);
    Reflect.apply(write, local, values);
    return setTime.call(this, getTime.call(local) - zone);
  };
  define(prototype, { [`set${field}`]: zone === 0 ? write : toZone });
}

function defineLocalFields() {
  for (const field of [...FIELDS, "Day"]) defineGetter(field);
  for (const field of FIELDS) defineSetter(field);
  define(prototype, {
    constructor: VirtualDate,
    getYear() {
      return this.getFullYear() - 1900;
    },
    setYear(year) {
      const number = Math.trunc(Number(year));
      return this.setFullYear(number >= 0 && number <= 99 ? 1900 + number : number);
    },
    getTimezoneOffset: function getTimezoneOffset() {
      const isVaried = noteZone(this, "getTimezoneOffset()", getTimezoneOffset);
      if (Number.isNaN(getTime.call(this))) return NaN;
      // Not -0.
      return 0 - (zone + (isVaried ? offsetElsewhere(this) : 0)) / MINUTE;
    },
  });
}

function defineText(name, form) {
  define(prototype, {
    [name]: function toText() {
      return text(noted(this, `${name}()`, toText), form);
    },
  });
}

/** Replaces the engine's `Date` by one that reads the virtual clock and lives `minutes` east of UTC. */
export function installDate(minutes) {
  zone = minutes * MINUTE;
  defineLocalFields();
  defineText("toString", "full");
  defineText("toDateString", "date");
  defineText("toTimeString", "time");
  define(globalThis, { Date: VirtualDate });
}
