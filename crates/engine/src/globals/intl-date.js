// Dates, times, and how far away they are.

import { host } from "./host.js";
import {
  choice,
  chooseLocale,
  constructor,
  count,
  given,
  joined,
  noteUse,
  textOf,
  varyParts,
} from "./intl-base.js";
import { hasUsualDigits, plainNumber } from "./intl-number.js";
import { clock, localZone, noteZone } from "./time.js";

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

const clockText = (minutes) => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;

/** Minutes east of UTC; none for places whose offset only data would tell. */
function offsetOf(zone) {
  if (/^(?:(?:etc\/)?(?:utc|gmt|uct|universal|zulu|greenwich|gmt[+-]?0))$/i.test(zone)) return 0;
  const hours = /^etc\/gmt([+-]\d\d?)$/i.exec(zone);
  // These count westwards.
  if (hours) return Number(hours[1]) * -60;
  const match = /^([+-])([01]\d|2[0-3])(?::?([0-5]\d))?$/.exec(zone);
  return match ? (match[1] === "-" ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3] ?? 0)) : undefined;
}

const AREAS =
  "Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US";
const ZONE_WORDS =
  "CET|CST6CDT|Cuba|EET|Egypt|Eire|EST|EST5EDT|GB|GB-Eire|Greenwich|Hongkong|HST|Iceland|Iran|Israel|Jamaica|Japan|" +
  "Kwajalein|Libya|MET|MST|MST7MDT|Navajo|NZ|NZ-CHAT|Poland|Portugal|PRC|PST8PDT|ROC|ROK|Singapore|Turkey|W-SU|WET";
const ZONE = new RegExp(`^(?:(?:${AREAS})(?:/[a-z][a-z\\d_+-]*){1,2}|${ZONE_WORDS})$`, "i");

const capitalized = (text) => text.replace(/(^|[/_-])([a-z])/g, (_, before, letter) => before + letter.toUpperCase());

/** `AMERICA/NEW_YORK` as `America/New_York`; what is mixed is taken as written. */
function zoneInUsualLetters(zone) {
  const [area, ...places] = zone.toLowerCase().split("/");
  const isMixed = zone !== zone.toLowerCase() && zone !== zone.toUpperCase();
  if (isMixed || places.length === 0) return zone;
  if (area === "etc") return `Etc/${places[0].toUpperCase()}`;
  const place = capitalized(places.join("/")).replace(/[_-](?:Au|Es|Of)(?=[_-])/g, (word) => word.toLowerCase());
  return `${area.length === 2 ? area.toUpperCase() : capitalized(area)}/${place}`;
}

function zoneName(zone) {
  const offset = offsetOf(zone);
  const sign = /^[+-]/.exec(zone)?.[0];
  if (sign && offset !== undefined) return sign + clockText(Math.abs(offset));
  if (offset === 0) return "UTC";
  if (!ZONE.test(zone)) throw new RangeError(`Invalid time zone specified: ${zone}`);
  const name = zoneInUsualLetters(zone);
  host.lack("zone", name);
  return name;
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

const USUAL_CYCLE = { en: "h12", zh: "h23" };

/** `hour12` decides before `hourCycle`, and that before the tag of the locale. */
function cycleOf(options, { language, keywords }) {
  const cycle = choice(options, "hourCycle", ["h11", "h12", "h23", "h24"], undefined);
  if (options.hour12 !== undefined) return options.hour12 ? "h12" : "h23";
  return cycle ?? (/^h(?:11|12|23|24)$/.test(keywords.hc) ? keywords.hc : USUAL_CYCLE[language]);
}

const USUAL_CALENDARS = [undefined, "", "gregory", "gregorian"];

/** Whether dates are counted as here. */
function isCalendarKnown(options, { keywords }) {
  const calendar = options.calendar ?? keywords.ca;
  const isKnown = USUAL_CALENDARS.includes(calendar);
  if (!isKnown) host.lack("calendar", String(calendar));
  return isKnown;
}

function readOptions(options, locale, needs, defaults) {
  const { language } = locale;
  let fields = Object.fromEntries(
    Object.entries(FIELD_WIDTHS).map(([name, values]) => [name, choice(options, name, values, undefined)]),
  );
  fields.fractionalSecondDigits = count(options, "fractionalSecondDigits", 1, 3, undefined);
  const dateStyle = choice(options, "dateStyle", Object.keys(TIMES), undefined);
  const timeStyle = choice(options, "timeStyle", Object.keys(TIMES), undefined);
  if (dateStyle ?? timeStyle) {
    const misplaced = needs === "time" && dateStyle ? "dateStyle" : needs === "date" && timeStyle && "timeStyle";
    if (misplaced) throw new TypeError(`Invalid option : ${misplaced}`);
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
  const { timeZone } = options;
  return {
    fields,
    dateStyle,
    timeStyle,
    hourCycle: cycleOf(options, locale),
    // What is asked for by name is written with another midnight by older browsers.
    isMidnightPlain: options.hour12 !== false || language !== "en",
    timeZone: timeZone === undefined ? undefined : zoneName(String(timeZone)),
  };
}

const two = (value) => String(value).padStart(2, "0");
const shown = (value, width) => (width === "2-digit" ? two(value % 100) : String(value));
const literal = (value) => ({ type: "literal", value });

function fieldsAt(time, minutes) {
  const date = new Date(time + minutes * 60_000);
  const year = date.getUTCFullYear();
  return {
    year: year > 0 ? year : 1 - year,
    era: year > 0 ? 1 : 0,
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    millisecond: date.getUTCMilliseconds(),
  };
}

const ERAS = {
  en: { long: ["Before Christ", "Anno Domini"], short: ["BC", "AD"], narrow: ["B", "A"] },
  zh: { long: ["公元前", "公元"], short: ["公元前", "公元"], narrow: ["公元前", "公元"] },
};
const eraPart = (at, width, language) => ({ type: "era", value: ERAS[language][width][at.era] });

const isNumeric = (month) => month === undefined || month === "numeric" || month === "2-digit";

function enDate(at, { era, ...fields }) {
  const date = enDateOfEra(at, fields);
  if (!era) return date;
  return date.length === 0 ? [eraPart(at, era, "en")] : [...date, literal(" "), eraPart(at, era, "en")];
}

function enDateOfEra(at, { weekday, year, month, day }) {
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

function zhDate(at, { era, ...fields }) {
  if (!era) return zhDateOfEra(at, fields);
  const { year, month, day } = fields;
  const isWhole = year && isNumeric(month) && month && day;
  const date = isWhole ? zhDateOfEra(at, { ...fields, month: "2-digit", day: "2-digit" }) : zhDateOfEra(at, fields);
  const dashed = date.map((part) => (isWhole && part.value === "/" ? literal("-") : part));
  return [eraPart(at, era, "zh"), literal(year || dashed.length === 0 ? "" : " "), ...dashed];
}

function zhDateOfEra(at, { weekday, year, month, day }) {
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

function enDayPeriod({ hour, minute }, width) {
  if (!width) return hour < 12 ? "AM" : "PM";
  if (hour === 12 && minute === 0) return width === "narrow" ? "n" : "noon";
  if (hour < 12) return "in the morning";
  return hour < 18 ? "in the afternoon" : hour < 21 ? "in the evening" : "at night";
}

function timeParts(at, { dayPeriod, hour, minute, second, fractionalSecondDigits: digits }, hourCycle, language) {
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
  if (language === "en") return [...time, literal(" "), { type: "dayPeriod", value: enDayPeriod(at, dayPeriod) }];
  return [{ type: "dayPeriod", value: at.hour < 12 ? "上午" : "下午" }, ...time];
}

function zoneText(width, zone, language) {
  const offset = offsetOf(zone);
  if (offset === undefined) return zone;
  if (offset === 0 && width === "short") return "UTC";
  if (offset === 0 && width === "long") return language === "en" ? "Coordinated Universal Time" : "协调世界时";
  const sign = offset < 0 ? "-" : "+";
  if (width.startsWith("long")) return `GMT${sign}${clockText(Math.abs(offset))}`;
  return `GMT${sign}${clockText(Math.abs(offset)).replace(/^0/, "").replace(":00", "")}`;
}

function betweenDateAndTime(fields, dateStyle, language) {
  if (combination(fields) === "w" && fields.hour) return language === "zh" ? "" : " ";
  if (language === "zh") return " ";
  return fields.month === "long" && dateStyle !== "medium" ? " at " : ", ";
}

/** The parts of a date. */
function format(time, { fields, dateStyle, hourCycle, timeZone = localZone() }, language) {
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
  return joined([...date, literal(betweenDateAndTime(fields, dateStyle, language)), ...clockTime]);
}

/** The combinations of fields whose patterns are here, by their first letters. */
const COMBINATIONS = ["", "w", "y", "m", "d", "ym", "md", "ymd", "wmd", "wymd"];

const combination = ({ weekday, year, month, day }) =>
  `${weekday ? "w" : ""}${year ? "y" : ""}${month ? "m" : ""}${day ? "d" : ""}`;

/** Whether the parts of a time stand together in a way that is known. */
function isTimePlain({ fields, hourCycle, timeZone = localZone() }, language) {
  const { hour, minute, second, fractionalSecondDigits, timeZoneName } = fields;
  if (hour && second && !minute) return false;
  if (fractionalSecondDigits && (hour || minute || second) && !(minute && second)) return false;
  if (fields.dayPeriod || hourCycle === "h11" || hourCycle === "h24") return false;
  // Which hour noon is, browsers do not agree on.
  if (language === "zh" && hour && hourCycle === "h12") return false;
  if (timeZoneName === undefined) return true;
  const isNamed = offsetOf(timeZone) === 0 && ["long", "short"].includes(timeZoneName);
  return isNamed && (language === "en" || Boolean(hour && minute));
}

function isDatePlain({ fields, dateStyle }, language) {
  if (!COMBINATIONS.includes(combination(fields))) return false;
  if (fields.era) return Boolean(fields.year) && !(fields.month === undefined && fields.day) && !fields.weekday;
  // What stands between a weekday and a time differs from pattern to pattern.
  if (combination(fields) === "w" && fields.hour) return false;
  if (dateStyle || language === "en") return true;
  // A month of a year is written in two ways, depending on the age of the browser.
  return fields.month !== "narrow" && !(combination(fields) === "ym" && isNumeric(fields.month));
}

/** Whether browsers are certain to write it so, and do not need more data. */
export const isPlain = (read, options, locale) =>
  isCalendarKnown(options, locale) &&
  offsetOf(read.timeZone ?? localZone()) !== undefined &&
  isDatePlain(read, locale.language) &&
  isTimePlain(read, locale.language) &&
  hasUsualDigits(locale, options);

/** Whether a certain time is one that browsers of other ages write in another way. */
const isRisky = (time, { fields, isMidnightPlain, timeZone = localZone() }) =>
  !isMidnightPlain && Boolean(fields.hour) && fieldsAt(time, offsetOf(timeZone) ?? 0).hour === 0;

/** The parts of a date, noted if they may differ in browsers. */
function notedParts(date, time, read, locale, isPlain, { what, above }) {
  const parts = format(time, read, locale.language);
  const isMidnight = isPlain && isRisky(time, read);
  const { isNoted, isVaried } = noteUse(locale, what, above, isPlain && !isMidnight);
  if (isVaried && isMidnight && locale.isKnown) return format(time, { ...read, hourCycle: "h24" }, locale.language);
  const dependsOnZone = !isNoted && read.timeZone === undefined;
  return varyParts(parts, isVaried || (dependsOnZone && noteZone(date, what, above)));
}

const timeOf = (value, above) =>
  value === undefined ? clock("Intl.DateTimeFormat.prototype.format()", above) : Number(value);

class DateTimeFormat {
  #locale;
  #options;
  #isPlain;
  #format;

  constructor(locales, options) {
    this.#locale = chooseLocale(locales);
    this.#options = readOptions(Object(options), this.#locale, "any", "date");
    this.#isPlain = isPlain(this.#options, Object(options), this.#locale);
  }

  #parts(value, what, above) {
    return notedParts(value, timeOf(value, above), this.#options, this.#locale, this.#isPlain, { what, above });
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
    const hasTime = TIME_FIELDS.some((name) => this.#options.fields[name]);
    const { isVaried } = noteUse(
      this.#locale,
      "Intl.DateTimeFormat.prototype.formatRange()",
      DateTimeFormat.prototype.formatRangeToParts,
      isOne && !hasTime && this.#isPlain,
    );
    const of = (parts, source) => varyParts(parts, isVaried).map((part) => ({ ...part, source }));
    return isOne
      ? of(first, "shared")
      : [...of(first, "startRange"), { ...literal(" – "), source: "shared" }, ...of(second, "endRange")];
  }

  resolvedOptions() {
    const { fields, dateStyle, timeStyle, hourCycle, timeZone = localZone() } = this.#options;
    const clockOptions = fields.hour ? { hourCycle, hour12: hourCycle === "h12" || hourCycle === "h11" } : {};
    const shown = dateStyle ?? timeStyle ? { dateStyle, timeStyle } : writtenWidths(fields, hourCycle, this.#locale.language);
    return given({
      locale: this.#locale.locale,
      calendar: "gregory",
      numberingSystem: "latn",
      timeZone,
      ...clockOptions,
      ...shown,
    });
  }
}

/** Widths as they are written: minutes behind hours have two digits whatever was asked for. */
function writtenWidths(fields, hourCycle, language) {
  const { hour, minute, second } = fields;
  const is24 = hourCycle === "h23" || hourCycle === "h24";
  return {
    ...fields,
    hour: hour && is24 && (language === "en" || minute) ? "2-digit" : hour,
    minute: minute && (hour || second ? "2-digit" : "numeric"),
    second: second && (minute ? "2-digit" : "numeric"),
  };
}

/** What `toLocaleString` of a date and its kin give. `needs` and `defaults`: see `ToDateTimeOptions`. */
export function dateText(date, time, locales, options, { needs, defaults, what, above }) {
  const locale = chooseLocale(locales);
  const read = readOptions(Object(options), locale, needs, defaults);
  if (Number.isNaN(time)) return "Invalid Date";
  return textOf(notedParts(date, time, read, locale, isPlain(read, Object(options), locale), { what, above }));
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
    return textOf(this.#parts(value, unit, "Intl.RelativeTimeFormat.prototype.format()", above));
  }

  formatToParts(value, unit) {
    const { formatToParts: above } = RelativeTimeFormat.prototype;
    return this.#parts(value, unit, "Intl.RelativeTimeFormat.prototype.formatToParts()", above);
  }

  #parts(value, unit, what, above) {
    const name = String(unit).replace(/s$/, "");
    if (!UNITS.includes(name)) throw new RangeError(`Invalid unit argument for format() '${unit}'`);
    const number = Number(value);
    if (!Number.isFinite(number)) throw new RangeError("Invalid number value");
    const { isVaried } = noteUse(this.#locale, what, above, this.#style === "long");
    return varyParts(joined(this.#distance(number, name)), isVaried);
  }

  #distance(number, name) {
    const { language } = this.#locale;
    const words = this.#numeric === "auto" ? NEAR[language][name] : undefined;
    const near = words?.[number + (words.length - 1) / 2];
    if (near) return [literal(near)];
    const isPast = number < 0 || Object.is(number, -0);
    const amount = plainNumber(Math.abs(number), this.#locale);
    const counted = amount.map((part) => ({ ...part, unit: name }));
    if (language === "zh") return [...counted, literal(`${ZH_UNITS[name]}${isPast ? "前" : "后"}`)];
    const unitName = ` ${name}${textOf(amount) === "1" ? "" : "s"}`;
    return isPast ? [...counted, literal(`${unitName} ago`)] : [literal("in "), ...counted, literal(unitName)];
  }

  resolvedOptions() {
    return { locale: this.#locale.locale, style: this.#style, numeric: this.#numeric, numberingSystem: "latn" };
  }
}

export const dates = {
  DateTimeFormat: constructor(DateTimeFormat, { callable: true }),
  RelativeTimeFormat: constructor(RelativeTimeFormat),
};
