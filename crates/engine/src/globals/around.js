// Where a program is at work when something fails: React knows the components that an error or a message is of.

let failed = { value: Symbol("nothing yet"), owners: "", components: "" };
let ask = () => "";

const textOf = (stack) => (typeof stack === "string" ? stack.toWellFormed() : "");

/** What the program has said about a value that was thrown: stacks as it writes them. */
export const around = (value) => (Object.is(failed.value, value) ? failed : { owners: "", components: "" });

/** The components that are at work now: where each was asked for. */
export function ownersNow() {
  try {
    return textOf(ask());
  } catch {
    return "";
  }
}

/** Lets programs tell. */
export function installAround() {
  const value = {
    /** `owners` says where the components were asked for that `error` is of, `components` which these are. */
    failed(error, owners, components) {
      failed = { value: error, owners: textOf(owners), components: textOf(components) };
    },
    /** Has `owners` asked whenever something is written to the console. */
    ask(owners) {
      ask = owners;
    },
  };
  Object.defineProperty(globalThis, Symbol.for("portalgen.around"), { value });
}
