// `Intl`, with what data there is, and what the methods of other objects that depend on locales need: see `locales.js`.

import { define } from "./host.js";
import { chooseLocale, constructor, getCanonicalLocales, keywordsOf, noteUse, parseTag } from "./intl-base.js";
import { dates, dateText } from "./intl-date.js";
import { durations } from "./intl-duration.js";
import { numbers, numberText } from "./intl-number.js";
import { compareAs, texts } from "./intl-text.js";
import { provide } from "./lazy.js";

/** Scripts and regions of languages that are usually written without. */
const LIKELY = {
  ar: "Arab-EG",
  de: "Latn-DE",
  en: "Latn-US",
  es: "Latn-ES",
  fa: "Arab-IR",
  fr: "Latn-FR",
  he: "Hebr-IL",
  it: "Latn-IT",
  ja: "Jpan-JP",
  ko: "Kore-KR",
  pt: "Latn-BR",
  ru: "Cyrl-RU",
  ur: "Arab-PK",
  zh: "Hans-CN",
};
const WEEK_BEGINS_ON_SUNDAY = "US CA MX BR JP KR TW HK SG IN IL".split(" ");
const RIGHT_TO_LEFT = "Arab Hebr Syrc Thaa Nkoo Adlm Rohg".split(" ");
const KEYWORDS = {
  calendar: "ca",
  collation: "co",
  hourCycle: "hc",
  caseFirst: "kf",
  numeric: "kn",
  numberingSystem: "nu",
};

class Locale {
  #tag;
  #keywords = {};

  constructor(tag, options = {}) {
    if (typeof tag !== "string" && (typeof tag !== "object" || tag === null)) {
      throw new TypeError("First argument to Intl.Locale constructor can't be empty or missing");
    }
    const { language, script, region, baseName, extensions } = parseTag(getCanonicalLocales([tag])[0]);
    const variants = baseName.slice([language, script, region].filter(Boolean).join("-").length);
    const parts = [options.language ?? language, options.script ?? script, options.region ?? region].filter(Boolean);
    this.#tag = parseTag(parts.join("-") + variants);
    this.#keywords = keywordsOf(extensions);
    for (const [name, key] of Object.entries(KEYWORDS))
      if (options[name] !== undefined) this.#keywords[key] = options[name] === true ? "" : String(options[name]);
  }

  get baseName() {
    return this.#tag.baseName;
  }
  get language() {
    return this.#tag.language;
  }
  get script() {
    return this.#tag.script || undefined;
  }
  get region() {
    return this.#tag.region || undefined;
  }
  get calendar() {
    return this.#keywords.ca;
  }
  get collation() {
    return this.#keywords.co;
  }
  get hourCycle() {
    return this.#keywords.hc;
  }
  get caseFirst() {
    return this.#keywords.kf;
  }
  get numeric() {
    return ["", "true"].includes(this.#keywords.kn);
  }
  get numberingSystem() {
    return this.#keywords.nu;
  }

  maximize() {
    const { language, script, region } = this.#tag;
    const isTraditional = language === "zh" && (["TW", "HK", "MO"].includes(region) || script === "Hant");
    const [usualScript, usualRegion] = isTraditional ? ["Hant", "TW"] : (LIKELY[language] ?? "-").split("-");
    return new Locale(this, { script: script || usualScript || undefined, region: region || usualRegion || undefined });
  }

  minimize() {
    const full = this.maximize();
    const extensions = this.toString().slice(this.baseName.length);
    const { language, script, region } = full;
    const shorter = [language, `${language}-${region}`, `${language}-${script}`].map(
      (tag) => new Locale(tag + extensions),
    );
    return shorter.find((locale) => locale.maximize().toString() === full.toString()) ?? this;
  }

  getTextInfo() {
    return { direction: RIGHT_TO_LEFT.includes(this.maximize().script) ? "rtl" : "ltr" };
  }

  get textInfo() {
    return this.getTextInfo();
  }

  getWeekInfo() {
    const { region } = this.maximize();
    noteUse(chooseLocale(this.toString()), "Intl.Locale.prototype.getWeekInfo()", Locale.prototype.getWeekInfo);
    return { firstDay: WEEK_BEGINS_ON_SUNDAY.includes(region) ? 7 : 1, weekend: [6, 7] };
  }

  get weekInfo() {
    return this.getWeekInfo();
  }

  getCalendars() {
    return [this.calendar ?? "gregory"];
  }

  getHourCycles() {
    const { language, isKnown } = chooseLocale(this.toString());
    return [this.hourCycle ?? (isKnown && language === "en" ? "h12" : "h23")];
  }

  getNumberingSystems() {
    return [this.numberingSystem ?? "latn"];
  }

  getCollations() {
    return this.collation === undefined ? ["emoji", "eor"] : [this.collation];
  }

  toString() {
    const keywords = Object.keys(this.#keywords)
      .sort()
      .map((key) => `-${key}${this.#keywords[key] && `-${this.#keywords[key]}`}`);
    return this.#tag.baseName + (keywords.length > 0 ? `-u${keywords.join("")}` : "");
  }
}

const LISTED = {
  calendar: ["gregory"],
  collation: [],
  currency: ["CNY", "EUR", "GBP", "JPY", "USD"],
  numberingSystem: ["latn"],
  timeZone: ["UTC"],
  unit: [],
};

function supportedValuesOf(key) {
  if (!Object.hasOwn(LISTED, key)) throw new RangeError(`Invalid key : ${key}`);
  return [...LISTED[key]];
}

const Intl = {};
const made = constructor(Locale);
delete made.supportedLocalesOf;
define(Intl, { ...dates, ...durations, ...numbers, ...texts, Locale: made, getCanonicalLocales, supportedValuesOf });
Object.defineProperty(Intl, Symbol.toStringTag, { value: "Intl", configurable: true });

provide("./intl.js", { Intl, numberText, dateText, compareAs });
