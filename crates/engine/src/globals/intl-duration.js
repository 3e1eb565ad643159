// Lengths of time: `1 hr, 5 min`.

import { choice, chooseLocale, constructor, given, joined, noteUse, textOf, varyParts } from "./intl-base.js";
import { plainNumber } from "./intl-number.js";

const UNITS = [
  "years",
  "months",
  "weeks",
  "days",
  "hours",
  "minutes",
  "seconds",
  "milliseconds",
  "microseconds",
  "nanoseconds",
];
const STYLES = ["long", "short", "narrow", "digital"];

const EN_SHORT = [
  [" yr", " yrs"],
  [" mth", " mths"],
  [" wk", " wks"],
  [" day", " days"],
  [" hr"],
  [" min"],
  [" sec"],
  [" ms"],
  [" μs"],
  [" ns"],
];
const EN_NARROW = ["y", "m", "w", "d", "h", "m", "s", "ms", "μs", "ns"];
const ZH_LONG = ["年", "个月", "周", "天", "小时", "分钟", "秒钟", "毫秒", "微秒", "纳秒"];
const ZH_SHORT = ["年", "个月", "周", "天", "小时", "分钟", "秒", "毫秒", "微秒", "纳秒"];

/** What stands behind an amount of a unit. */
function unitText(index, amount, style, language) {
  if (language === "zh") return (style === "long" ? ZH_LONG : index > 6 && style === "narrow" ? EN_NARROW : ZH_SHORT)[index];
  if (style === "long") return ` ${amount === "1" ? UNITS[index].slice(0, -1) : UNITS[index]}`;
  if (style === "narrow") return EN_NARROW[index];
  const [one, many = one] = EN_SHORT[index];
  return amount === "1" ? one : many;
}

function readDuration(input) {
  if (typeof input !== "object" || input === null) throw new TypeError("a duration must be an object");
  const values = UNITS.map((unit) => [unit, input[unit]]).filter(([, value]) => value !== undefined);
  if (values.length === 0) throw new TypeError("a duration needs a unit");
  const numbers = values.map(([unit, value]) => [unit, Number(value)]);
  if (numbers.some(([, value]) => !Number.isInteger(value))) throw new RangeError("a duration has whole numbers only");
  if (new Set(numbers.map(([, value]) => Math.sign(value)).filter(Boolean)).size > 1)
    throw new RangeError("a duration has one sign only");
  return Object.fromEntries(numbers);
}

const SEPARATORS = { en: { narrow: " ", other: ", " }, zh: { narrow: "", other: "" } };

class DurationFormat {
  #locale;
  #style;
  #isPlain;

  constructor(locales, options = {}) {
    this.#locale = chooseLocale(locales);
    this.#style = choice(options, "style", STYLES, "short");
    // Widths of single units, and what clocks show, are not known here.
    this.#isPlain = this.#style !== "digital" && Object.keys(options).every((name) => name === "style");
  }

  format(duration) {
    return textOf(this.#parts(duration, "Intl.DurationFormat.prototype.format()", DurationFormat.prototype.format));
  }

  formatToParts(duration) {
    const { formatToParts: above } = DurationFormat.prototype;
    return this.#parts(duration, "Intl.DurationFormat.prototype.formatToParts()", above);
  }

  #parts(duration, what, above) {
    const values = readDuration(duration);
    // Amounts that are grouped, and units of less than a millisecond, are written in ways of their own.
    const isSimple = Object.entries(values).every(([unit, value]) => value >= 0 && value < 1000 && unit !== "nanoseconds");
    const { isVaried } = noteUse(this.#locale, what, above, this.#isPlain && isSimple);
    const separators = SEPARATORS[this.#locale.language];
    const separator = { type: "literal", value: separators[this.#style] ?? separators.other };
    const shown = UNITS.map((unit, index) => this.#unitParts(index, values[unit] ?? 0)).filter(({ length }) => length > 0);
    return varyParts(joined(shown.flatMap((parts) => [separator, ...parts]).slice(1)), isVaried);
  }

  #unitParts(index, value) {
    if (value === 0) return [];
    const unit = UNITS[index].slice(0, -1);
    const amount = plainNumber(value, this.#locale).map((part) => ({ ...part, unit }));
    const name = unitText(index, textOf(amount), this.#style, this.#locale.language);
    return [...amount, { type: "literal", value: " ".repeat(name.length - name.trimStart().length), unit }].concat({
      type: "unit",
      value: name.trimStart(),
      unit,
    });
  }

  resolvedOptions() {
    return given({ locale: this.#locale.locale, numberingSystem: "latn", style: this.#style });
  }
}

export const durations = { DurationFormat: constructor(DurationFormat) };
