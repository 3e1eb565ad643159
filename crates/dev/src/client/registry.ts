// The registry of modules, which runs in the page beside this script.
import type { Update } from "./protocol";
import type { Sentences } from "./sentences";

export interface Registry {
  /** Takes over an update. Only one may be under way at a time. */
  apply(update: Pick<Update, "definitions" | "removed">): Outcome | Promise<Outcome>;
}

export interface Outcome {
  /** `reload`: the update cannot be applied to what runs. `failed`: something has thrown. */
  kind: "applied" | "reload" | "failed";
  /** Why it takes a reload, for people. */
  reason?: string | Reason;
  error?: unknown;
}

/** A module that could not take a change. */
export interface Reason {
  module: string;
  /** An export that is no component. */
  export?: string;
  /** What the module says about it. */
  message?: string;
}

/** The page's registry. The document of an error page has none. */
export function registry(): Registry | undefined {
  return (window as unknown as Record<symbol, Registry | undefined>)[Symbol.for("portalgen.hot")];
}

/** A reason in words. */
export function told(reason: string | Reason, sentences: Sentences): string {
  if (typeof reason === "string") return reason;
  const { module, export: name, message } = reason;
  if (message) return `${module}: ${message}`;
  return name ? sentences.notOnlyComponents(module, name) : sentences.notReplaced(module);
}
