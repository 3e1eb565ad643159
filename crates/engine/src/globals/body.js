// What values of the platform know about themselves, out of scripts' reach.

/** A method that gives `{ bytes, type }` for the body of a request or response. */
export const asBody = Symbol("body");
/** A method that gives a structured clone, or throws. */
export const cloning = Symbol("clone");
/** A method that gives `{ copy, finish }`: what arrives where the value is transferred to, and what then takes it away. */
export const transferring = Symbol("transfer");
