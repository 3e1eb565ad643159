// The engine knows no locales. Numbers come out as English and Chinese write them; every use is noted, since a
// visitor's browser may write something else.

import { define } from "./host.js";
import { noteDifference } from "./notes.js";

const group = (digits) => digits.replace(/\B(?=(\d{3})+(?!\d))/g, ",");

function numberText(value) {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value < 0 ? "-∞" : "∞";
  if (Math.abs(value) >= 1e21) return String(value);
  const [whole, fraction] = value.toFixed(3).split(".");
  const shown = fraction.replace(/0+$/, "");
  return group(whole) + (shown === "" ? "" : `.${shown}`);
}

function noted(owner, name, convert) {
  return {
    [name]: function toLocaleText(...values) {
      noteDifference("locale", `${owner}.prototype.${name}()`, toLocaleText);
      return convert(this, ...values);
    },
  };
}

export function installLocale() {
  const compare = String.prototype.localeCompare;
  define(Number.prototype, noted("Number", "toLocaleString", (value) => numberText(Number(value))));
  define(BigInt.prototype, noted("BigInt", "toLocaleString", (value) => group(value.toString())));
  define(String.prototype, noted("String", "localeCompare", (value, other) => compare.call(value, other)));
}
