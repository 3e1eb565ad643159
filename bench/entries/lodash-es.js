import { debounce, groupBy, isEqual, throttle } from "lodash-es";

export const later = (work) => debounce(work, 100);
export const seldom = (work) => throttle(work, 100);
export const byKind = (items) => groupBy(items, "kind");
export const same = (a, b) => isEqual(a, b);
