// Texts: their order, lists of them, their characters and words, names of things.

import { choice, chooseLocale, constructor, joined, noteUse, textOf, varyParts, varyText } from "./intl-base.js";

const base = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const accents = (text) => text.normalize("NFD").replace(/[^\p{M}]/gu, "\0");
/** Spaces and signs come before digits, and these before letters. */
const rank = (character) => (/\p{L}/u.test(character) ? 2 : /\p{N}/u.test(character) ? 1 : 0);

function compareBy(first, second, isNumeric) {
  const pieces = (text) => (isNumeric ? (text.match(/\d+|\D/gu) ?? []) : [...text]);
  const [a, b] = [pieces(first), pieces(second)];
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const [left, right] = [a[index], b[index]];
    if (left === right) continue;
    const difference =
      isNumeric && rank(left) === 1 && rank(right) === 1 ? Number(left) - Number(right) : rank(left) - rank(right);
    if (difference !== 0) return Math.sign(difference);
    if (left !== right) return left < right ? -1 : 1;
  }
  return Math.sign(a.length - b.length);
}

/** Letters first, then accents, then lower before upper case. */
function compareTexts(first, second, { sensitivity, numeric, ignorePunctuation, caseFirst }) {
  const read = (text) => (ignorePunctuation ? text.replace(/[\p{P}\s]/gu, "") : text);
  const [a, b] = [read(first), read(second)];
  const byLetters = compareBy(base(a), base(b), numeric);
  if (byLetters !== 0 || sensitivity === "base") return byLetters;
  const byAccents = sensitivity === "case" ? 0 : compareBy(accents(a), accents(b), false);
  if (byAccents !== 0 || sensitivity === "accent") return byAccents;
  const upper = (text) =>
    [...text.normalize("NFD").replace(/\p{M}/gu, "")]
      .map((letter) => (letter === letter.toLowerCase() ? "a" : "b"))
      .join("");
  const byCase = compareBy(upper(a), upper(b), false);
  return caseFirst === "upper" ? 0 - byCase : byCase;
}

/**
 * Whether texts come in the order that browsers put them in. Letters such as `æ` and `ß` are others in other words, and
 * among Chinese ones accents are tones.
 */
const isPlain = (language, ...texts) =>
  texts.every((text) => (language === "zh" ? /^[a-z\d ]*$/i.test(text) : /^[a-z\d ]*$/.test(base(text))));

class Collator {
  #locale;
  #options;
  #isUsual;
  #compare;

  constructor(locales, options = {}) {
    this.#locale = chooseLocale(locales);
    const { co = "", kf = "false", kn = "false" } = this.#locale.keywords;
    this.#isUsual = [undefined, "", "standard"].includes(options.collation ?? co);
    this.#options = {
      usage: choice(options, "usage", ["sort", "search"], "sort"),
      sensitivity: choice(options, "sensitivity", ["base", "accent", "case", "variant"], "variant"),
      ignorePunctuation: Boolean(options.ignorePunctuation ?? false),
      collation: this.#locale.language === "zh" ? "pinyin" : "default",
      numeric: Boolean(options.numeric ?? ["", "true"].includes(kn)),
      caseFirst: choice(options, "caseFirst", ["upper", "lower", "false"], kf),
    };
  }

  get compare() {
    const bound = (first, second) => {
      const [a, b] = [String(first), String(second)];
      if (a === b) return 0;
      const isCertain = this.#isUsual && isPlain(this.#locale.language, a, b);
      const { isVaried } = noteUse(this.#locale, "Intl.Collator.prototype.compare()", bound, isCertain);
      return varyOrder(compareTexts(a, b, this.#options), isVaried);
    };
    this.#compare ??= bound;
    return this.#compare;
  }

  resolvedOptions() {
    return { locale: this.#locale.locale, ...this.#options };
  }
}

const varyOrder = (order, isVaried) => (isVaried ? 0 - order : order);

/** What `localeCompare` gives. */
export function compareAs(first, second, locales, options, what, above) {
  const locale = chooseLocale(locales);
  if (first === second) return 0;
  const { numeric, sensitivity, ignorePunctuation, caseFirst } = new Collator(locales, Object(options)).resolvedOptions();
  const isCertain = isPlain(locale.language, first, second) && ["", undefined].includes(locale.keywords.co);
  const { isVaried } = noteUse(locale, what, above, isCertain);
  return varyOrder(compareTexts(first, second, { numeric, sensitivity, ignorePunctuation, caseFirst }), isVaried);
}

const LISTS = {
  en: {
    conjunction: { long: [" and ", ", and ", ", "], short: [" & ", ", & ", ", "], narrow: [", ", ", ", ", "] },
    disjunction: { long: [" or ", ", or ", ", "], short: [" or ", ", or ", ", "], narrow: [" or ", ", or ", ", "] },
    unit: { long: [", ", ", ", ", "], short: [", ", ", ", ", "], narrow: [" ", " ", " "] },
  },
  zh: {
    conjunction: { long: ["和", "和", "、"], short: ["和", "和", "、"], narrow: ["、", "、", "、"] },
    disjunction: { long: ["或", "或", "、"], short: ["或", "或", "、"], narrow: ["或", "或", "、"] },
    unit: { long: ["", "", ""], short: ["", "", ""], narrow: ["", "", ""] },
  },
};

class ListFormat {
  #locale;
  #type;
  #style;

  constructor(locales, options = {}) {
    this.#locale = chooseLocale(locales);
    this.#type = choice(options, "type", ["conjunction", "disjunction", "unit"], "conjunction");
    this.#style = choice(options, "style", ["long", "short", "narrow"], "long");
  }

  format(list) {
    return textOf(this.#parts(list, "Intl.ListFormat.prototype.format()", ListFormat.prototype.format));
  }

  formatToParts(list) {
    return this.#parts(list, "Intl.ListFormat.prototype.formatToParts()", ListFormat.prototype.formatToParts);
  }

  #parts(list, what, above) {
    const items = [...(list ?? [])];
    if (items.some((item) => typeof item !== "string"))
      throw new TypeError("Iterable yielded a value which is not a string");
    const isVaried = items.length > 1 && noteUse(this.#locale, what, above).isVaried;
    const [pair, last, middle] = LISTS[this.#locale.language][this.#type][this.#style];
    const between = (index) => (items.length === 2 ? pair : index === items.length - 1 ? last : middle);
    const parts = items.flatMap((value, index) => [
      { type: "literal", value: index > 0 ? between(index) : "" },
      { type: "element", value },
    ]);
    return varyParts(joined(parts), isVaried);
  }

  resolvedOptions() {
    return { locale: this.#locale.locale, type: this.#type, style: this.#style };
  }
}

const EMOJI = "\\p{Extended_Pictographic}(?:\\p{EMod}|\\u{FE0F}|[\\u{E0020}-\\u{E007F}])*";
const SEGMENTS = {
  grapheme: new RegExp(
    `\\r\\n|\\p{RI}{2}|${EMOJI}(?:\\u{200D}${EMOJI})*|[\\u1100-\\u115F]+[\\u1160-\\u11FF]*|\\P{M}?[\\p{M}\\u{200D}\\u{FE0F}\\u20E3]+|[^]`,
    "gu",
  ),
  word: new RegExp(
    `\\r\\n|\\p{RI}{2}|${EMOJI}(?:\\u{200D}${EMOJI})*|[\\p{L}\\p{M}\\p{N}_]+(?:(?:(?<=\\p{N})[.,;](?=\\p{N})|['’])[\\p{L}\\p{N}_]+)*|\\p{Zs}+|[^]`,
    "gu",
  ),
  sentence: /[^]+?(?:[.!?…]+["'”’)]*(?:\s+|$)|[。!?]+|\n|$)/gu,
};

class Segmenter {
  #locale;
  #granularity;

  constructor(locales, options = {}) {
    this.#locale = chooseLocale(locales);
    this.#granularity = choice(options, "granularity", ["grapheme", "word", "sentence"], "grapheme");
  }

  segment(text) {
    const input = String(text);
    const granularity = this.#granularity;
    // Words of languages that write no spaces between them are in dictionaries.
    const needsWords =
      granularity === "word" &&
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u.test(
        input,
      );
    // Whether dots part letters depends on the age of the browser.
    const isCertain = !needsWords && !(granularity === "word" && /\p{L}\.\p{L}/u.test(input));
    const what = "Intl.Segmenter.prototype.segment()";
    const isVaried =
      granularity !== "grapheme" &&
      noteUse({ ...this.#locale, isDefault: false }, what, Segmenter.prototype.segment, isCertain).isVaried;
    const segments = [...input.matchAll(isVaried ? /[^]+/g : SEGMENTS[granularity])]
      .filter(([segment]) => segment !== "")
      .map(({ 0: segment, index }) => {
        const found = { segment, index, input };
        return granularity === "word" ? { ...found, isWordLike: /[\p{L}\p{N}]/u.test(segment) } : found;
      });
    return {
      containing: (position = 0) =>
        segments.find(({ segment, index }) => position >= index && position < index + segment.length),
      [Symbol.iterator]: () => segments.values(),
    };
  }

  resolvedOptions() {
    return { locale: this.#locale.locale, granularity: this.#granularity };
  }
}

class DisplayNames {
  #locale;
  #options;

  constructor(locales, options) {
    if (options === undefined) throw new TypeError("Cannot convert undefined to object");
    this.#locale = chooseLocale(locales);
    const type = choice(
      options,
      "type",
      ["language", "region", "script", "currency", "calendar", "dateTimeField"],
      undefined,
    );
    if (type === undefined) throw new TypeError('Required option "type" must not be undefined');
    this.#options = {
      style: choice(options, "style", ["long", "short", "narrow"], "long"),
      type,
      fallback: choice(options, "fallback", ["code", "none"], "code"),
    };
  }

  of(code) {
    const { isVaried } = noteUse(this.#locale, "Intl.DisplayNames.prototype.of()", DisplayNames.prototype.of, false);
    return this.#options.fallback === "code" ? varyText(String(code), isVaried) : undefined;
  }

  resolvedOptions() {
    return { locale: this.#locale.locale, ...this.#options };
  }
}

export const texts = {
  Collator: constructor(Collator, { callable: true }),
  DisplayNames: constructor(DisplayNames),
  ListFormat: constructor(ListFormat),
  Segmenter: constructor(Segmenter),
};
