import { createRequire } from "node:module";

/** `require` of what is not part of the bundle. */
export const requireExternal = /*#__PURE__*/ createRequire(import.meta.url);
