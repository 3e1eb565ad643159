// `Intl`, and the methods of other objects that depend on locales. The code for them is as much as for all other globals
// together, and few pages ask for it, so it is loaded when one does.

import { define } from "./host.js";
import { defineLazily, load } from "./lazy.js";

const intl = () => load("./intl.js");

function defineNumberText(owner) {
  const valueOf = owner.prototype.valueOf;
  const what = `${owner.name}.prototype.toLocaleString()`;
  define(owner.prototype, {
    toLocaleString: function toLocaleString(locales, options) {
      return intl().numberText(valueOf.call(this), locales, options, what, toLocaleString);
    },
  });
}

function defineDateText(name, needs, defaults) {
  const { getTime } = Date.prototype;
  define(Date.prototype, {
    [name]: function toLocaleText(locales, options) {
      const use = { needs, defaults, what: `Date.prototype.${name}()`, above: toLocaleText };
      return intl().dateText(this, getTime.call(this), locales, options, use);
    },
  });
}

/** Installs all that depends on locales. */
export function installLocales() {
  defineLazily(globalThis, "./intl.js", ["Intl"]);
  defineNumberText(Number);
  defineNumberText(BigInt);
  defineDateText("toLocaleString", "any", "all");
  defineDateText("toLocaleDateString", "date", "date");
  defineDateText("toLocaleTimeString", "time", "time");
  const what = "String.prototype.localeCompare()";
  define(String.prototype, {
    localeCompare: function localeCompare(other, locales, options) {
      return intl().compareAs(String(this), String(other), locales, options, what, localeCompare);
    },
  });
}
