// Which errors are worth a look. Some are no mistake of anyone's, or nobody's who looks at this page.
import { callsIn } from "./describe";
import type { Severity } from "./protocol";

/** An error that nobody caught. */
export interface Uncaught {
  /** Whether it came out of a promise. */
  isRejection: boolean;
  error: unknown;
  message: string;
  stack: string;
  /** The script that threw, as far as the browser tells. */
  script: string;
}

const extension = /\b(chrome|moz|safari|safari-web|ms-browser)-extension:\/\//;
const resizeNotice = /ResizeObserver loop (limit exceeded|completed with undelivered notifications)/;

/** How much an error weighs; nothing if it is not to be told at all. */
export function weigh(uncaught: Uncaught): Severity | undefined {
  const { isRejection, error, message, stack, script } = uncaught;
  // Layout settles one frame later. Browsers tell it as an error, and pages cannot help it.
  if (resizeNotice.test(message)) return undefined;
  // Of scripts of other origins, browsers keep everything to themselves.
  if (error == null && /^Script error\.?$/.test(message)) return undefined;
  if (extension.test(script) || extension.test(callsIn(stack)[0] ?? "")) return undefined;
  // Somebody has stopped waiting, and meant to.
  if (isAbort(error)) return undefined;
  // Nothing that could be shown but that it happened.
  if (isRejection && error === undefined) return "warning";
  return "error";
}

function isAbort(error: unknown): boolean {
  try {
    return (error as { name?: unknown } | null | undefined)?.name === "AbortError";
  } catch {
    return false;
  }
}
