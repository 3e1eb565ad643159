// Dates, times, and how far away they are.

import { choice, chooseLocale, constructor, count, given, joined, noteUse, textOf } from "./intl-base.js";
import { numberText } from "./intl-number.js";
import { clock, noteZone } from "./time.js";

const EN_MONTHS = "January February March April May June July August September October November December".split(" ");
const ZH_MONTHS = "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月".split(" ");
const EN_DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const ZH_DAYS = "日 一 二 三 四 五 六".split(" ");

const DATE_FIELDS = ["weekday", "era", "year", "month", "day"];
const TIME_FIELDS = ["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits"];
const STYLES = {
  en: {
    date: {
      full: { weekday: "long", year: "numeric", month: "long", day: "numeric" },
      long: { year: "numeric", month: "long", day: "numeric" },
      medium: { year: "numeric", month: "short", day: "numeric" },
      short: { year: "2-digit", month: "numeric", day: "numeric" },
    },
  },
  zh: {
    date: {
      full: { weekday: "long", year: "numeric", month: "long", day: "numeric" },
      long: { year: "numeric", month: "long", day: "numeric" },
      medium: { year: "numeric", month: "long", day: "numeric" },
      short: { year: "numeric", month: "numeric", day: "numeric" },
    },
  },
};
const TIMES = {
  full: { hour: "numeric", minute: "2-digit", second: "2-digit", timeZoneName: "long" },
  long: { hour: "numeric", minute: "2-digit", second: "2-digit", timeZoneName: "short" },
  medium: { hour: "numeric", minute: "2-digit", second: "2-digit" },
  short: { hour: "numeric", minute: "2-digit" },
};

/** Minutes east of UTC; none for places whose offset only data would tell. */
function offsetOf(zone) {
  if (/^(etc\/)?(utc|gmt|uct|zulu)$/i.test(zone)) return 0;
  const match = /^([+-])(\d\d):?(\d\d)?$/.exec(zone);
  return match ? (match[1] === "-" ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3] ?? 0)) : undefined;
}

function zoneName(zone) {
  if (offsetOf(zone) === 0) return "UTC";
  if (!/^[a-z_]+(\/[a-z\d_+-]+)*$|^[+-]\d\d(:?\d\d)?$/i.test(zone))
    throw new RangeError(`Invalid time zone specified: ${zone}`);
  return zone;
}

const WORDS = ["long", "short", "narrow"];
const DIGITS = ["numeric", "2-digit"];
const ZONES = ["long", "short", "shortOffset", "longOffset", "shortGeneric", "longGeneric"];
const FIELD_WIDTHS = {
  weekday: WORDS,
  era: WORDS,
  year: DIGITS,
  month: [...DIGITS, ...WORDS],
  day: DIGITS,
  dayPeriod: WORDS,
  hour: DIGITS,
  minute: DIGITS,
  second: DIGITS,
  timeZoneName: ZONES,
};

function readOptions(options, language, needs, defaults) {
  let fields = Object.fromEntries(
    Object.entries(FIELD_WIDTHS).map(([name, values]) => [name, choice(options, name, values, undefined)]),
  );
  fields.fractionalSecondDigits = count(options, "fractionalSecondDigits", 1, 3, undefined);
  const dateStyle = choice(options, "dateStyle", Object.keys(TIMES), undefined);
  const timeStyle = choice(options, "timeStyle", Object.keys(TIMES), undefined);
  if (dateStyle ?? timeStyle) {
    const clash = Object.keys(fields).find((name) => fields[name] !== undefined);
    if (clash) throw new TypeError(`Can't set option ${clash} when ${dateStyle ? "dateStyle" : "timeStyle"} is used`);
    fields = { ...fields, ...(dateStyle && STYLES[language].date[dateStyle]), ...(timeStyle && TIMES[timeStyle]) };
    if (timeStyle && language === "zh") fields.hour = "2-digit";
  } else {
    const counted = needs === "date" ? DATE_FIELDS : needs === "time" ? TIME_FIELDS : [...DATE_FIELDS, ...TIME_FIELDS];
    if (counted.every((name) => name === "era" || fields[name] === undefined)) {
      if (defaults !== "time") Object.assign(fields, { year: "numeric", month: "numeric", day: "numeric" });
      if (defaults !== "date") Object.assign(fields, { hour: "numeric", minute: "numeric", second: "numeric" });
    }
  }
  const cycle = choice(options, "hourCycle", ["h11", "h12", "h23", "h24"], undefined);
  const usual = language === "en" ? "h12" : "h23";
  const hourCycle = options.hour12 === undefined ? (cycle ?? usual) : options.hour12 ? "h12" : "h23";
  const { timeZone } = options;
  return {
    fields,
    dateStyle,
    timeStyle,
    hourCycle,
    timeZone: timeZone === undefined ? undefined : zoneName(String(timeZone)),
  };
}

const two = (value) => String(value).padStart(2, "0");
const shown = (value, width) => (width === "2-digit" ? two(value % 100) : String(value));
const literal = (value) => ({ type: "literal", value });

function fieldsAt(time, minutes) {
  const date = new Date(time + minutes * 60_000);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    millisecond: date.getUTCMilliseconds(),
  };
}

const isNumeric = (month) => month === undefined || month === "numeric" || month === "2-digit";

function enDate(at, { weekday, year, month, day }) {
  const dayName = weekday && {
    type: "weekday",
    value: weekday === "long" ? EN_DAYS[at.weekday] : EN_DAYS[at.weekday].slice(0, weekday === "short" ? 3 : 1),
  };
  const yearPart = year && { type: "year", value: shown(at.year, year) };
  const dayPart = day && { type: "day", value: shown(at.day, day) };
  if (isNumeric(month)) {
    const monthPart = month && { type: "month", value: shown(at.month + 1, month) };
    const date = [monthPart, dayPart, yearPart]
      .filter(Boolean)
      .flatMap((part) => [literal("/"), part])
      .slice(1);
    // A weekday stands behind a day that has neither month nor year.
    if (dayName && date.length === 1)
      return dayPart ? [dayPart, literal(" "), dayName] : [...date, literal(" "), dayName];
    return dayName && date.length > 0 ? [dayName, literal(", "), ...date] : dayName ? [dayName] : date;
  }
  const name = EN_MONTHS[at.month];
  const monthPart = { type: "month", value: month === "long" ? name : name.slice(0, month === "short" ? 3 : 1) };
  const date = dayPart ? [monthPart, literal(" "), dayPart] : [monthPart];
  if (yearPart) date.push(literal(dayPart ? ", " : " "), yearPart);
  return dayName ? [dayName, literal(", "), ...date] : date;
}

function zhDate(at, { weekday, year, month, day }) {
  const dayName = weekday && [
    { type: "weekday", value: { long: "星期", short: "周", narrow: "" }[weekday] + ZH_DAYS[at.weekday] },
  ];
  const yearPart = year && { type: "year", value: shown(at.year, year) };
  const dayPart = day && { type: "day", value: shown(at.day, day) };
  const monthPart = month && { type: "month", value: shown(at.month + 1, month) };
  let date;
  if (isNumeric(month) && year && month && day && weekday !== "long")
    date = [yearPart, literal("/"), monthPart, literal("/"), dayPart];
  else if (isNumeric(month) && !year && month && day) date = [monthPart, literal("/"), dayPart];
  else if (month && !year && !day && month === "long") date = [{ type: "month", value: ZH_MONTHS[at.month] }];
  else
    date = [yearPart, year && literal("年"), monthPart, month && literal("月"), dayPart, day && literal("日")].filter(
      Boolean,
    );
  return dayName ? [...date, ...dayName] : date;
}

function timeParts(at, { hour, minute, second, fractionalSecondDigits: digits }, hourCycle, language) {
  const is12 = hourCycle === "h12" || hourCycle === "h11";
  const hours = { h11: at.hour % 12, h12: at.hour % 12 || 12, h23: at.hour, h24: at.hour || 24 }[hourCycle];
  const parts = [];
  if (hour)
    parts.push({
      type: "hour",
      value: hour === "2-digit" || (!is12 && (language === "en" || minute === "numeric")) ? two(hours) : String(hours),
    });
  if (minute)
    parts.push({
      type: "minute",
      value: hour || second || (minute === "2-digit" && second) ? two(at.minute) : String(at.minute),
    });
  if (second) parts.push({ type: "second", value: minute ? two(at.second) : String(at.second) });
  const time = parts.flatMap((part) => [literal(":"), part]).slice(1);
  if (digits)
    time.push(...(second ? [literal(".")] : []), {
      type: "fractionalSecond",
      value: String(at.millisecond).padStart(3, "0").slice(0, digits),
    });
  if (!hour) return time;
  if (language === "zh" && !minute) time.push(literal("时"));
  if (!is12) return time;
  if (language === "en") return [...time, literal(" "), { type: "dayPeriod", value: at.hour < 12 ? "AM" : "PM" }];
  return [{ type: "dayPeriod", value: at.hour < 12 ? "上午" : "下午" }, ...time];
}

function zoneText(width, zone, language) {
  if (offsetOf(zone) !== 0) return zone;
  if (width !== "long") return "UTC";
  return language === "en" ? "Coordinated Universal Time" : "协调世界时";
}

/** The parts of a date. */
function format(time, { fields, dateStyle, hourCycle, timeZone = "UTC" }, language) {
  if (!Number.isFinite(time) || Math.abs(time) > 8.64e15) throw new RangeError("Invalid time value");
  const at = fieldsAt(time, offsetOf(timeZone) ?? 0);
  const date = language === "en" ? enDate(at, fields) : zhDate(at, fields);
  const clockTime = timeParts(at, fields, hourCycle, language);
  if (fields.timeZoneName) {
    const name = { type: "timeZoneName", value: zoneText(fields.timeZoneName, timeZone, language) };
    if (language === "en" || clockTime.length === 0)
      clockTime.push(...(clockTime.length > 0 ? [literal(" ")] : []), name);
    else clockTime.unshift(name, literal(" "));
  }
  if (date.length === 0 || clockTime.length === 0) return joined([...date, ...clockTime]);
  const isLong = fields.month === "long" && dateStyle !== "medium" && language === "en";
  return joined([...date, literal(language === "zh" ? " " : isLong && fields.day ? " at " : ", "), ...clockTime]);
}

/** The combinations of fields whose patterns are here, by their first letters. */
const COMBINATIONS = ["", "w", "y", "m", "d", "ym", "md", "ymd", "wmd", "wymd"];

const combination = ({ weekday, year, month, day }) =>
  `${weekday ? "w" : ""}${year ? "y" : ""}${month ? "m" : ""}${day ? "d" : ""}`;

/** Whether browsers are certain to write it so, and do not need more data. */
export const isPlain = ({ fields, hourCycle, timeZone = "UTC" }, { calendar, numberingSystem }, language) =>
  // A month of a year and noon are written in two ways, depending on the age of the browser.
  !(language === "zh" && combination(fields) === "ym" && isNumeric(fields.month)) &&
  !(language === "zh" && fields.hour && hourCycle === "h12") &&
  offsetOf(timeZone) !== undefined &&
  COMBINATIONS.includes(combination(fields)) &&
  !fields.era &&
  !fields.dayPeriod &&
  !(fields.hour && fields.second && !fields.minute) &&
  (fields.timeZoneName === undefined ||
    (offsetOf(timeZone) === 0 && ["long", "short"].includes(fields.timeZoneName))) &&
  [undefined, "gregory", "iso8601"].includes(calendar) &&
  [undefined, "latn"].includes(numberingSystem);

const timeOf = (value, above) =>
  value === undefined ? clock("Intl.DateTimeFormat.prototype.format()", above) : Number(value);

class DateTimeFormat {
  #locale;
  #options;
  #isPlain;
  #format;

  constructor(locales, options) {
    this.#locale = chooseLocale(locales);
    this.#options = readOptions(Object(options), this.#locale.language, "any", "date");
    this.#isPlain = isPlain(this.#options, Object(options), this.#locale.language);
  }

  #parts(value, what, above) {
    const parts = format(timeOf(value, above), this.#options, this.#locale.language);
    const isNoted = noteUse(this.#locale, what, above, this.#isPlain);
    if (!isNoted && this.#options.timeZone === undefined) noteZone(value, what, above);
    return parts;
  }

  get format() {
    const bound = (value) => textOf(this.#parts(value, "Intl.DateTimeFormat.prototype.format()", bound));
    this.#format ??= bound;
    return this.#format;
  }

  formatToParts(value) {
    return this.#parts(value, "Intl.DateTimeFormat.prototype.formatToParts()", DateTimeFormat.prototype.formatToParts);
  }

  formatRange(from, to) {
    return textOf(this.formatRangeToParts(from, to));
  }

  formatRangeToParts(from, to) {
    const [first, second] = [from, to].map((value) => format(timeOf(value), this.#options, this.#locale.language));
    // What two dates have in common is written once, by rules that are not here.
    const isOne = textOf(first) === textOf(second);
    noteUse(
      this.#locale,
      "Intl.DateTimeFormat.prototype.formatRange()",
      DateTimeFormat.prototype.formatRangeToParts,
      isOne,
    );
    const of = (parts, source) => parts.map((part) => ({ ...part, source }));
    return isOne
      ? of(first, "shared")
      : [...of(first, "startRange"), { ...literal(" – "), source: "shared" }, ...of(second, "endRange")];
  }

  resolvedOptions() {
    const { fields, dateStyle, timeStyle, hourCycle, timeZone = "UTC" } = this.#options;
    const clockOptions = fields.hour ? { hourCycle, hour12: hourCycle === "h12" || hourCycle === "h11" } : {};
    return given({
      locale: this.#locale.locale,
      calendar: "gregory",
      numberingSystem: "latn",
      timeZone,
      ...clockOptions,
      ...((dateStyle ?? timeStyle) ? { dateStyle, timeStyle } : fields),
    });
  }
}

/** What `toLocaleString` of a date and its kin give. `needs` and `defaults`: see `ToDateTimeOptions`. */
export function dateText(date, time, locales, options, { needs, defaults, what, above }) {
  const locale = chooseLocale(locales);
  const read = readOptions(Object(options), locale.language, needs, defaults);
  if (Number.isNaN(time)) return "Invalid Date";
  const isNoted = noteUse(locale, what, above, isPlain(read, Object(options), locale.language));
  if (!isNoted && read.timeZone === undefined) noteZone(date, what, above);
  return textOf(format(time, read, locale.language));
}

const UNITS = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"];
const ZH_UNITS = {
  second: "秒钟",
  minute: "分钟",
  hour: "小时",
  day: "天",
  week: "周",
  month: "个月",
  quarter: "个季度",
  year: "年",
};
const NEAR = {
  en: {
    day: ["yesterday", "today", "tomorrow"],
    hour: ["this hour"],
    minute: ["this minute"],
    second: ["now"],
    ...Object.fromEntries(
      ["week", "month", "quarter", "year"].map((unit) => [unit, [`last ${unit}`, `this ${unit}`, `next ${unit}`]]),
    ),
  },
  zh: {
    day: ["前天", "昨天", "今天", "明天", "后天"],
    hour: ["这一时间 / 此时"],
    minute: ["此刻"],
    second: ["现在"],
    week: ["上周", "本周", "下周"],
    month: ["上个月", "本月", "下个月"],
    quarter: ["上季度", "本季度", "下季度"],
    year: ["去年", "今年", "明年"],
  },
};

class RelativeTimeFormat {
  #locale;
  #numeric;
  #style;

  constructor(locales, options = {}) {
    this.#locale = chooseLocale(locales);
    this.#numeric = choice(options, "numeric", ["always", "auto"], "always");
    this.#style = choice(options, "style", ["long", "short", "narrow"], "long");
  }

  format(value, unit) {
    const { format: above } = RelativeTimeFormat.prototype;
    const name = String(unit).replace(/s$/, "");
    if (!UNITS.includes(name)) throw new RangeError(`Invalid unit argument for format() '${unit}'`);
    const number = Number(value);
    if (!Number.isFinite(number)) throw new RangeError("Invalid number value");
    noteUse(this.#locale, "Intl.RelativeTimeFormat.prototype.format()", above, this.#style === "long");
    const { language } = this.#locale;
    const words = this.#numeric === "auto" ? NEAR[language][name] : undefined;
    const near = words?.[number + (words.length - 1) / 2];
    if (near) return near;
    const isPast = number < 0 || Object.is(number, -0);
    const amount = numberText(Math.abs(number), language);
    if (language === "zh") return `${amount}${ZH_UNITS[name]}${isPast ? "前" : "后"}`;
    const distance = `${amount} ${name}${amount === "1" ? "" : "s"}`;
    return isPast ? `${distance} ago` : `in ${distance}`;
  }

  formatToParts(value, unit) {
    const text = this.format(value, unit);
    const amount = numberText(Math.abs(Number(value)), this.#locale.language);
    const at = text.indexOf(amount);
    if (at < 0) return [literal(text)];
    const integer = { type: "integer", value: amount, unit: String(unit).replace(/s$/, "") };
    return joined([literal(text.slice(0, at)), integer, literal(text.slice(at + amount.length))]);
  }

  resolvedOptions() {
    return { locale: this.#locale.locale, style: this.#style, numeric: this.#numeric, numberingSystem: "latn" };
  }
}

export const dates = {
  DateTimeFormat: constructor(DateTimeFormat, { callable: true }),
  RelativeTimeFormat: constructor(RelativeTimeFormat),
};
