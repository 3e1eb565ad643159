// Numbers and plurals.

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
  varyText,
} from "./intl-base.js";

/** A number without its sign as decimal digits; the point stands after `point` of them. */
function decimal(value) {
  const [mantissa, exponent = "0"] = String(value).split("e");
  const [whole, fraction = ""] = mantissa.split(".");
  const digits = (whole + fraction).replace(/^0+(?=\d)/, "");
  return { digits, point: whole.length - (whole.length + fraction.length - digits.length) + Number(exponent) };
}

/** Whether a number that lies between two others goes to the one that is further from zero; `rest` is what is cut off. */
function roundsUp(rest, last, mode, isNegative) {
  if (/^0*$/.test(rest)) return false;
  const side = { ceil: !isNegative, floor: isNegative, expand: true, trunc: false, even: last % 2 === 1 };
  const [, half, way] = /^(half)?(.+)$/.exec(mode);
  const isHalf = /^50*$/.test(rest);
  return half && !isHalf ? rest[0] >= "5" : side[way.toLowerCase()];
}

/** Rounds to so many digits behind the point. */
function rounded(number, places, { roundingMode, isNegative }) {
  const missing = Math.max(0, -number.point - places);
  const [digits, point] = ["0".repeat(missing) + number.digits, number.point + missing];
  const kept = point + places;
  if (kept >= digits.length) return { digits, point };
  const head = `0${digits.slice(0, kept)}`;
  const up = roundsUp(digits.slice(kept), Number(head.at(-1)), roundingMode, isNegative);
  const sum = (BigInt(head) + (up ? 1n : 0n)).toString().padStart(head.length, "0");
  const shift = sum[0] === "0" ? 1 : 0;
  return { digits: sum.slice(shift) || "0", point: point + 1 - shift };
}

/** Digits before and behind the point. */
function split({ digits, point }) {
  if (point <= 0) return { whole: "0", fraction: "0".repeat(-point) + digits };
  return { whole: digits.slice(0, point).padEnd(point, "0"), fraction: digits.slice(point) };
}

const isZero = ({ digits }) => /^0*$/.test(digits);

function limited(number, options) {
  const {
    minimumFractionDigits: least,
    maximumFractionDigits: most,
    minimumSignificantDigits: some,
    maximumSignificantDigits: significant,
    trailingZeroDisplay,
  } = options;
  const shorten = (digits) => (trailingZeroDisplay === "stripIfInteger" && /^0*$/.test(digits) ? "" : digits);
  if (significant !== undefined) {
    const places = isZero(number) ? significant - 1 : significant - number.point;
    let { whole, fraction } = split(rounded(number, places, options));
    fraction = fraction.replace(/0+$/, "");
    const shown = isZero(number)
      ? 1
      : whole === "0"
        ? fraction.replace(/^0+/, "").length
        : whole.length + fraction.length;
    return { whole, fraction: shorten(fraction + "0".repeat(Math.max(0, some - shown))) };
  }
  const { whole, fraction } = split(rounded(number, most, options));
  return { whole, fraction: shorten(fraction.slice(0, most).replace(/0+$/, "").padEnd(least, "0")) };
}

const NO_CENTS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split(" ");
const MILLS = "BHD IQD JOD KWD LYD OMR TND".split(" ");
const SYMBOLS = {
  en: {
    USD: "$",
    EUR: "€",
    GBP: "£",
    JPY: "¥",
    CNY: "CN¥",
    KRW: "₩",
    INR: "₹",
    AUD: "A$",
    CAD: "CA$",
    HKD: "HK$",
    TWD: "NT$",
    NZD: "NZ$",
    MXN: "MX$",
    BRL: "R$",
    VND: "₫",
    ILS: "₪",
  },
  zh: {
    USD: "US$",
    EUR: "€",
    GBP: "£",
    JPY: "JP¥",
    CNY: "¥",
    KRW: "₩",
    INR: "₹",
    AUD: "AU$",
    CAD: "CA$",
    HKD: "HK$",
    TWD: "NT$",
    NZD: "NZ$",
    MXN: "MX$",
    BRL: "R$",
    VND: "₫",
    ILS: "₪",
  },
};
const COMPACT = {
  en: {
    short: [
      [12, "T"],
      [9, "B"],
      [6, "M"],
      [3, "K"],
    ],
    long: [
      [12, " trillion"],
      [9, " billion"],
      [6, " million"],
      [3, " thousand"],
    ],
  },
  zh: {
    short: [
      [12, "万亿"],
      [8, "亿"],
      [4, "万"],
    ],
    long: [
      [12, "万亿"],
      [8, "亿"],
      [4, "万"],
    ],
  },
};

function digitOptions(options, { style, currency, notation }) {
  const cents = NO_CENTS.includes(currency) ? 0 : MILLS.includes(currency) ? 3 : 2;
  const isMoney = style === "currency" && notation === "standard";
  const usual = { least: isMoney ? cents : 0, most: isMoney ? cents : style === "percent" ? 0 : 3 };
  const minimumIntegerDigits = count(options, "minimumIntegerDigits", 1, 21, 1);
  if (options.minimumSignificantDigits !== undefined || options.maximumSignificantDigits !== undefined) {
    const minimumSignificantDigits = count(options, "minimumSignificantDigits", 1, 21, 1);
    const maximumSignificantDigits = count(options, "maximumSignificantDigits", minimumSignificantDigits, 21, 21);
    return { minimumIntegerDigits, minimumSignificantDigits, maximumSignificantDigits };
  }
  let least = count(options, "minimumFractionDigits", 0, 100, undefined);
  let most = count(options, "maximumFractionDigits", 0, 100, undefined);
  const isCompact = notation === "compact" && least === undefined && most === undefined;
  if (least !== undefined && most !== undefined && least > most)
    throw new RangeError("maximumFractionDigits value is out of range.");
  // Steps of rounding are steps of the last digit, which is then always written.
  const isStepped = (options.roundingIncrement ?? 1) !== 1;
  least ??= Math.min(usual.least, most ?? usual.least);
  most ??= Math.max(isCompact || isStepped ? (isCompact ? 0 : usual.least) : usual.most, least);
  return { minimumIntegerDigits, minimumFractionDigits: least, maximumFractionDigits: most, isCompact };
}

const MODES = "ceil floor expand trunc halfCeil halfFloor halfExpand halfTrunc halfEven".split(" ");
const INCREMENTS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000];

function roundingOptions(options, { minimumFractionDigits, maximumFractionDigits }) {
  const roundingIncrement = count(options, "roundingIncrement", 1, 5000, 1);
  if (!INCREMENTS.includes(roundingIncrement)) throw new RangeError("roundingIncrement value is out of range.");
  if (roundingIncrement !== 1 && maximumFractionDigits === undefined)
    throw new TypeError("roundingIncrement value is invalid.");
  if (roundingIncrement !== 1 && minimumFractionDigits !== maximumFractionDigits)
    throw new RangeError("roundingIncrement value is out of range.");
  return {
    roundingIncrement,
    roundingMode: choice(options, "roundingMode", MODES, "halfExpand"),
    roundingPriority: choice(options, "roundingPriority", ["auto", "morePrecision", "lessPrecision"], "auto"),
    trailingZeroDisplay: choice(options, "trailingZeroDisplay", ["auto", "stripIfInteger"], "auto"),
  };
}

function groupingOption({ useGrouping }, notation) {
  const usual = notation === "compact" ? "min2" : "auto";
  // What old scripts say.
  if (useGrouping === undefined || useGrouping === "true" || useGrouping === "false") return usual;
  if (useGrouping === true) return "always";
  return useGrouping ? choice({ useGrouping }, "useGrouping", ["min2", "auto", "always"], usual) : false;
}

function readOptions(options) {
  const style = choice(options, "style", ["decimal", "percent", "currency", "unit"], "decimal");
  const currency = options.currency === undefined ? undefined : String(options.currency).toUpperCase();
  if (currency !== undefined && !/^[A-Z]{3}$/.test(currency))
    throw new RangeError(`Invalid currency code : ${options.currency}`);
  if (style === "currency" && currency === undefined)
    throw new TypeError("Currency code is required with currency style.");
  if (style === "unit" && options.unit === undefined) throw new TypeError("Unit is required with unit style.");
  const isMoney = style === "currency";
  const notation = choice(options, "notation", ["standard", "scientific", "engineering", "compact"], "standard");
  const digits = digitOptions(options, { style, currency, notation });
  return {
    style,
    currency: isMoney ? currency : undefined,
    currencyDisplay: isMoney
      ? choice(options, "currencyDisplay", ["code", "symbol", "narrowSymbol", "name"], "symbol")
      : undefined,
    currencySign: isMoney ? choice(options, "currencySign", ["standard", "accounting"], "standard") : undefined,
    unit: style === "unit" ? String(options.unit) : undefined,
    unitDisplay: style === "unit" ? choice(options, "unitDisplay", ["short", "narrow", "long"], "short") : undefined,
    ...digits,
    ...roundingOptions(options, digits),
    useGrouping: groupingOption(options, notation),
    notation,
    compactDisplay: notation === "compact" ? choice(options, "compactDisplay", ["short", "long"], "short") : undefined,
    signDisplay: choice(options, "signDisplay", ["auto", "never", "always", "exceptZero", "negative"], "auto"),
  };
}

function groups(whole, grouping) {
  const least = grouping === "min2" ? 5 : 4;
  if (!grouping || whole.length < least) return [whole];
  const first = whole.length % 3;
  return [whole.slice(0, first), ...whole.slice(first).match(/.{3}/g)].filter(Boolean);
}

function numberParts(whole, fraction, { useGrouping, minimumIntegerDigits }) {
  const integers = groups(whole.padStart(minimumIntegerDigits, "0"), useGrouping);
  const parts = integers
    .flatMap((value) => [
      { type: "group", value: "," },
      { type: "integer", value },
    ])
    .slice(1);
  return fraction === "" ? parts : [...parts, { type: "decimal", value: "." }, { type: "fraction", value: fraction }];
}

/** Digits of a number that is written with a word or an exponent for its size. */
function scaled(number, options, language) {
  const { notation, compactDisplay, isCompact } = options;
  const limit = (shifted) => {
    const places = isCompact && shifted.point < 2 && !isZero(shifted) ? 2 - shifted.point : undefined;
    return limited(
      shifted,
      places === undefined ? options : { ...options, minimumFractionDigits: 0, maximumFractionDigits: places },
    );
  };
  const size = number.point - 1;
  if (notation === "standard" || (notation === "compact" && isZero(number))) return { ...limit(number), tail: [] };
  if (notation === "compact") {
    const steps = [...COMPACT[language][compactDisplay], [0, ""]];
    let index = steps.findIndex(([power]) => size >= power);
    if (index < 0) index = steps.length - 1;
    let result = limit({ ...number, point: number.point - steps[index][0] });
    // Rounding may reach the next word: 999,999 is 1M.
    const next = steps[index - 1];
    if (next && result.whole.length > next[0] - steps[index][0]) {
      index -= 1;
      result = limit({ ...number, point: number.point - next[0] });
    }
    const [, word] = steps[index];
    const tail = [
      { type: "literal", value: word.startsWith(" ") ? " " : "" },
      { type: "compact", value: word.trimStart() },
    ];
    return { ...result, tail };
  }
  const step = notation === "engineering" ? 3 : 1;
  const power = isZero(number) ? 0 : Math.floor(size / step) * step;
  const result = limit({ ...number, point: number.point - power });
  // Rounding may reach the next power: 99,999 is 1E5.
  if (result.whole.length > step) return scaled({ digits: "1", point: power + step + 1 }, options, language);
  const exponent = [
    { type: "exponentSeparator", value: "E" },
    { type: "exponentMinusSign", value: power < 0 ? "-" : "" },
    { type: "exponentInteger", value: String(Math.abs(power)) },
  ];
  return { ...result, tail: exponent };
}

function signOf(isNegative, isNothing, { signDisplay, currencySign }) {
  const minus = currencySign === "accounting" ? "()" : "-";
  switch (signDisplay) {
    case "never":
      return "";
    case "always":
      return isNegative ? minus : "+";
    case "exceptZero":
      return isNothing ? "" : isNegative ? minus : "+";
    case "negative":
      return isNegative && !isNothing ? minus : "";
    default:
      return isNegative ? minus : "";
  }
}

/** The parts of a number, and whether browsers are certain to write it so. */
function format(value, settings, language) {
  const number = typeof value === "bigint" ? value : Number(value);
  const isNegative = number < 0 || Object.is(number, -0);
  const options = { ...settings, isNegative };
  let parts;
  let isNothing = Number.isNaN(number);
  if (Number.isNaN(number)) parts = [{ type: "nan", value: "NaN" }];
  else if (number === Infinity || number === -Infinity) parts = [{ type: "infinity", value: "∞" }];
  else {
    const exact = decimal(isNegative ? -number : number);
    if (options.style === "percent") exact.point += isZero(exact) ? 0 : 2;
    const { whole, fraction, tail } = scaled(exact, options, language);
    isNothing = /^0*$/.test(whole + fraction);
    parts = [...numberParts(whole, fraction, options), ...tail];
  }
  const sign = signOf(isNegative, isNothing, options);
  const { text, isPlain: isUnitPlain } = withUnit(parts, options, language);
  const isPlain = isUnitPlain && options.roundingIncrement === 1 && options.roundingPriority === "auto";
  if (sign === "()")
    return { parts: joined([{ type: "literal", value: "(" }, ...text, { type: "literal", value: ")" }]), isPlain };
  const signed = sign === "" ? text : [{ type: sign === "-" ? "minusSign" : "plusSign", value: sign }, ...text];
  return { parts: joined(signed), isPlain };
}

function withUnit(parts, { style, currency, currencyDisplay, unit, unitDisplay, notation }, language) {
  // As V8 calls it.
  const percentType = notation === "compact" ? "unit" : "percentSign";
  if (style === "percent") return { text: [...parts, { type: percentType, value: "%" }], isPlain: true };
  if (style === "unit") {
    const isMany = language === "en" && unitDisplay === "long" && textOf(parts) !== "1" && !unit.includes("-per-");
    const name = isMany && unit !== "percent" ? `${unit}s` : unit;
    return { text: [...parts, { type: "literal", value: " " }, { type: "unit", value: name }], isPlain: false };
  }
  if (style !== "currency") return { text: parts, isPlain: true };
  const symbol = currencyDisplay === "code" ? undefined : SYMBOLS[language][currency];
  const narrow = currencyDisplay === "narrowSymbol" ? symbol?.replace(/^[A-Z]+(?=[$¥])/, "") : symbol;
  const isDigits = parts[0].type === "integer";
  const code = [
    { type: "currency", value: currency },
    { type: "literal", value: isDigits ? "\u00a0" : "" },
  ];
  const isPlain = currencyDisplay === "code" || (symbol !== undefined && currencyDisplay !== "name");
  return {
    text: [...(symbol && currencyDisplay !== "name" ? [{ type: "currency", value: narrow }] : code), ...parts],
    isPlain,
  };
}

/** Whether digits are those from 0 to 9, as asked for in options or in the tag of the locale. */
export const hasUsualDigits = ({ keywords }, { numberingSystem }) =>
  [undefined, "", "latn"].includes(numberingSystem ?? keywords.nu);

class NumberFormat {
  #locale;
  #options;
  #isLatin;
  #format;

  constructor(locales, options) {
    this.#locale = chooseLocale(locales);
    this.#options = readOptions(Object(options));
    this.#isLatin = hasUsualDigits(this.#locale, Object(options));
  }

  #parts(value, what, above) {
    const { parts, isPlain } = format(value, this.#options, this.#locale.language);
    return varyParts(parts, noteUse(this.#locale, what, above, isPlain && this.#isLatin).isVaried);
  }

  get format() {
    const bound = (value) => textOf(this.#parts(value, "Intl.NumberFormat.prototype.format()", bound));
    this.#format ??= bound;
    return this.#format;
  }

  formatToParts(value) {
    return this.#parts(value, "Intl.NumberFormat.prototype.formatToParts()", NumberFormat.prototype.formatToParts);
  }

  formatRange(from, to) {
    const what = "Intl.NumberFormat.prototype.formatRange()";
    const [first, second] = [from, to].map((value) =>
      textOf(format(value, this.#options, this.#locale.language).parts),
    );
    if (Number.isNaN(Number(from)) || Number.isNaN(Number(to))) throw new RangeError("Invalid number value: NaN");
    const { style, notation, roundingIncrement, roundingPriority } = this.#options;
    const isUsual = style === "decimal" && notation === "standard" && roundingIncrement === 1;
    const isPlain = isUsual && roundingPriority === "auto" && /^[\d,.]+$/.test(first + second);
    const { isVaried } = noteUse(this.#locale, what, NumberFormat.prototype.formatRange, isPlain && this.#isLatin);
    const range = first === second ? `~${first}` : `${first}${this.#locale.language === "zh" ? "-" : "–"}${second}`;
    return varyText(range, isVaried);
  }

  resolvedOptions() {
    const { isCompact: _, ...options } = this.#options;
    return given({
      locale: this.#locale.locale,
      numberingSystem: "latn",
      ...options,
    });
  }
}

/** A number and nothing around it, in the language of a locale. */
export const plainNumber = (value, { language }) => format(value, readOptions({}), language).parts;

/** What `toLocaleString` of a number gives. */
export function numberText(value, locales, options, what, above) {
  const locale = chooseLocale(locales);
  const { parts, isPlain } = format(value, readOptions(Object(options)), locale.language);
  const isUsual = isPlain && hasUsualDigits(locale, Object(options));
  return varyText(textOf(parts), noteUse(locale, what, above, isUsual).isVaried);
}

const ORDINALS = ["one", "two", "few"];
const CATEGORIES = {
  en: { cardinal: ["one", "other"], ordinal: ["one", "two", "few", "other"] },
  zh: { cardinal: ["other"], ordinal: ["other"] },
};

class PluralRules {
  #locale;
  #type;
  #options;

  constructor(locales, options = {}) {
    this.#locale = chooseLocale(locales);
    this.#type = choice(options, "type", ["cardinal", "ordinal"], "cardinal");
    this.#options = readOptions({ ...options, style: "decimal" });
  }

  select(value) {
    const { select } = PluralRules.prototype;
    const { isVaried } = noteUse(this.#locale, "Intl.PluralRules.prototype.select()", select);
    const category = this.#categoryOf(Number(value));
    return isVaried ? (category === "other" ? "one" : "other") : category;
  }

  #categoryOf(number) {
    if (this.#locale.language === "zh" || !Number.isFinite(number)) return "other";
    if (this.#type === "cardinal")
      return textOf(format(Math.abs(number), this.#options, "en").parts) === "1" ? "one" : "other";
    const rest = Math.abs(number) % 100;
    const isTeen = rest > 10 && rest < 14;
    return (!isTeen && ORDINALS[(rest % 10) - 1]) || "other";
  }

  selectRange(_from, to) {
    return this.select(to);
  }

  resolvedOptions() {
    const { style: _, useGrouping: __, signDisplay: ___, isCompact: ____, ...digits } = this.#options;
    const pluralCategories = CATEGORIES[this.#locale.language][this.#type];
    return given({ locale: this.#locale.locale, type: this.#type, ...digits, pluralCategories });
  }
}

export const numbers = {
  NumberFormat: constructor(NumberFormat, { callable: true }),
  PluralRules: constructor(PluralRules),
};
