// What all of `Intl` shares: tags of locales, options, and notes of what a browser would write otherwise.
//
// The engine has data for English as in the United States and for simplified Chinese, and for nothing else.

import { define } from "./host.js";
import { noteDifference } from "./notes.js";

const DEFAULT = "en-US";
const TAG =
  /^([a-z]{2,3}|[a-z]{5,8})(-[a-z]{4})?(-(?:[a-z]{2}|\d{3}))?((?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*)((?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*(?:-x(?:-[a-z\d]{1,8})+)?)$/i;
/** Languages that have got another name. */
const RENAMED = { cmn: "zh", in: "id", iw: "he", ji: "yi", jw: "jv", mo: "ro", tl: "fil" };
const KNOWN = { en: /^en(-Latn)?(-US)?$/, zh: /^zh(-Hans)?(-CN|-SG)?$/ };

/** `ZH-hans-cn-u-nu-latn` in its parts, each in the letters that are usual. */
export function parseTag(tag) {
  const match = TAG.exec(tag);
  if (!match) throw new RangeError(`Incorrect locale information provided: ${tag}`);
  const [, language, script = "", region = "", variants, extensions] = match;
  const title = script && `-${script[1].toUpperCase()}${script.slice(2).toLowerCase()}`;
  const name = RENAMED[language.toLowerCase()] ?? language.toLowerCase();
  return {
    language: name,
    script: title.slice(1),
    region: region.slice(1).toUpperCase(),
    baseName: name + title + region.toUpperCase() + variants.toLowerCase(),
    extensions: extensions.toLowerCase(),
  };
}

function canonical(tag) {
  if (typeof tag !== "string" && (typeof tag !== "object" || tag === null)) {
    throw new TypeError("Incorrect locale information provided");
  }
  const { baseName, extensions } = parseTag(String(tag));
  return baseName + extensions;
}

export function getCanonicalLocales(locales) {
  if (locales === undefined) return [];
  if (locales === null) throw new TypeError("Cannot convert null to object");
  const list =
    typeof locales === "string" || locales[Symbol.toStringTag] === "Intl.Locale" ? [locales] : Array.from(locales);
  return [...new Set(list.map(canonical))];
}

const languageOf = (baseName) => Object.keys(KNOWN).find((language) => KNOWN[language].test(baseName));
const isKnown = (tag) => languageOf(parseTag(tag).baseName) !== undefined;

export const supportedLocalesOf = (locales) => getCanonicalLocales(locales).filter(isKnown);

/** The keywords of `-u-hc-h23-nu-latn` by their two letters. */
export function keywordsOf(extensions) {
  const unicode = /-u((?:-[a-z\d]{2,8})+)/.exec(extensions)?.[1] ?? "";
  const keywords = unicode.matchAll(/-([a-z\d]{2})(?:-((?:[a-z\d]{3,8})(?:-[a-z\d]{3,8})*))?(?=-|$)/g);
  return Object.fromEntries([...keywords].map(([, key, value = ""]) => [key, value]));
}

/** What was asked for, and the language whose data is taken. Browsers have data for whatever comes first. */
export function chooseLocale(locales) {
  const [wanted] = getCanonicalLocales(locales);
  const { baseName, language, extensions } = parseTag(wanted ?? DEFAULT);
  const known = languageOf(baseName);
  // The nearest there is, so that a page shows something.
  return {
    locale: wanted ? baseName : DEFAULT,
    language: known ?? (language === "zh" ? "zh" : "en"),
    keywords: keywordsOf(extensions),
    isDefault: !wanted,
    isKnown: Boolean(known),
  };
}

/**
 * Notes that a result depends on the visitor's locale, or on data that is not here. Says whether it did, and whether this
 * time the result is to be another: see `noteDifference`.
 */
export function noteUse({ locale, isDefault, isKnown }, what, above, isPlain = true) {
  const isNoted = isDefault || !isKnown || !isPlain;
  if (isDefault) return { isNoted, isVaried: noteDifference("locale", what, above) };
  return { isNoted, isVaried: isNoted && noteDifference("data", `${what} for "${locale}"`, above) };
}

/** What stands before a text that is to be another: nothing that anybody sees, and no number begins with it. */
const MARK = "\u2063";
export const varyText = (text, isVaried) => (isVaried ? MARK + text : text);

export function varyParts(parts, isVaried) {
  if (!isVaried) return parts;
  return [{ type: "literal", value: "" }, ...parts].map((part) => ({ ...part, value: MARK + part.value }));
}

/** An option that is one of some words. */
export function choice(options, name, values, fallback) {
  const value = options[name];
  if (value === undefined) return fallback;
  const text = String(value);
  if (!values.includes(text)) throw new RangeError(`Value ${text} out of range for Intl options property ${name}`);
  return text;
}

/** An option that is a whole number between two others. */
export function count(options, name, least, most, fallback) {
  const value = options[name];
  if (value === undefined) return fallback;
  const number = Math.floor(Number(value));
  if (!(number >= least && number <= most)) throw new RangeError(`${name} value is out of range.`);
  return number;
}

/** Those of some properties that have a value. */
export const given = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

export const textOf = (parts) => parts.map(({ value }) => value).join("");

/** Parts of equal types that follow each other are one, and empty ones none. */
export function joined(parts) {
  const result = [];
  for (const part of parts.filter(({ value }) => value !== "")) {
    const last = result.at(-1);
    if (last && last.type === "literal" && part.type === "literal") last.value += part.value;
    else result.push({ ...part });
  }
  return result;
}

/** Makes a class what `Intl` has under its name; some of them can be called without `new`. */
export function constructor(Class, { callable = false } = {}) {
  const { name } = Class;
  const make = {
    [name]: function (...values) {
      if (new.target === undefined && !callable) throw new TypeError(`Constructor Intl.${name} requires 'new'`);
      return Reflect.construct(Class, values, new.target ?? make);
    },
  }[name];
  Object.defineProperty(make, "length", { value: 0 });
  Object.defineProperty(make, "prototype", { value: Class.prototype, writable: false });
  define(Class.prototype, { constructor: make });
  define(make, { supportedLocalesOf: (locales) => supportedLocalesOf(locales) });
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: `Intl.${name}`, configurable: true });
  return make;
}
