// Definitions: the newest code of each module, as the server has sent it. Nothing here runs any.
import type { Handle } from "portalgen:hot/handle";

/** What has to be known of a module before it runs. What is absent does not apply. */
export interface Facts {
  /** An ES module, unless this says otherwise. */
  kind?: "async" | "cjs" | "external";
  /** The modules that are evaluated before it, in order. */
  imports?: string[];
  /** What it asks for with `require`. */
  requires?: string[];
  /** What it asks for with `import()`, each with the key of its script. */
  loads?: [name: string, key: string][];
  /** Exports of others under names of its own: the number of the import, and the name there unless it is the namespace. */
  forwards?: [exported: string, from: number, imported?: string][];
  /** The imports behind `export *`. */
  stars?: number[];
  /** The imports whose namespace objects the code hands around. */
  whole?: number[];
  /** It imports CommonJS modules as Node.js does. */
  node?: boolean;
  /** It is an entry. */
  main?: boolean;
  /** Of a CommonJS module: what a default import gives where `__esModule` is honoured. */
  default?: "exports" | "property" | "interop";
  /** Of a CommonJS module that looks at what `module` says about itself: its path. */
  path?: string;
  /** What an external module is imported by. */
  specifier?: string;
  attributes?: [string, string][];
  /** What the specifiers of its imports lead to, if it asks for `import.meta.hot`. */
  specifiers?: [specifier: string, name: string][];
  /** React may replace the components that it exports. */
  refresh?: boolean;
}

type Register = (type: unknown, name: string) => void;
type Sign = () => (...rest: unknown[]) => unknown;

/** An ES module stops once, when it has said what it exports, and then wherever it waits. */
export type EsFactory = (handle: Handle, register: Register, sign: Sign) => Iterator<unknown> | AsyncIterator<unknown>;
export type CommonJsFactory = (handle: Handle, exports: unknown, module: CommonJsModule) => void;

/** What Node.js calls `module`. */
export interface CommonJsModule {
  exports: unknown;
  loaded?: boolean;
}

export interface Definition {
  name: string;
  /** Differs for different code. */
  hash: string;
  facts: Facts;
  factory: EsFactory | CommonJsFactory | null;
  /** The revision of the sources that it is known to be of. */
  revision: number;
}

const definitions = new Map<string, Definition>();

/** The modules that are pages: who shows one shows what its module exports at that moment. */
export const pages = new Set<string>();

/** Takes a definition over. Returns false if it is known, or a newer one is: a script may come after an update that it lacks. */
export function define([name, hash, facts, factory]: [string, string, Facts, Definition["factory"]], revision: number): boolean {
  const known = definitions.get(name);
  if (known && known.revision > revision) return false;
  if (known?.hash === hash) {
    known.revision = revision;
    return false;
  }
  definitions.set(name, { name, hash, facts, factory, revision });
  return true;
}

export function isDefined(name: string): boolean {
  return definitions.has(name);
}

/** The newest definition of a module. */
export function definitionOf(name: string): Definition {
  const definition = definitions.get(name);
  if (!definition) throw new Error(`The module ${name} has not been sent`);
  return definition;
}

/** Forgets a module that nothing reaches any more. */
export function forget(name: string) {
  definitions.delete(name);
}
