// Handles: what the code of a module gets of the registry.
import { addressOf, interopNamespace, missing, unknownRequire } from "portalgen:helpers";
import { type Context, contextOf } from "portalgen:hot/context";
import { requireModule } from "portalgen:hot/evaluation";
import { importOf, type Instance, type Namespace } from "portalgen:hot/instance";
import { load } from "portalgen:hot/loading";

/** What the code of a module gets. The server writes the calls. */
export interface Handle {
  /** Says what an ES module exports. */
  exports(locals: Record<string, () => unknown>, required?: () => unknown): void;
  /** The namespace of an ES module, by the number of the import. */
  namespace(number: number): Namespace;
  /** What a CommonJS or external module exports, once it has run. */
  exported(number: number): unknown;
  /** What a default import of a CommonJS module gives. */
  default(number: number): unknown;
  /** What `import * as` of a CommonJS module gives. */
  star(number: number): Namespace;
  require(number: number): unknown;
  load(number: number): Promise<Namespace>;
  /** The address of a file, by its path. */
  url(path: string): URL;
  readonly meta: { url: string };
  readonly hot: Context;
  addressOf(path: string): URL;
  interopNamespace(exports: unknown, node?: boolean): Namespace;
  missing(specifier: string): never;
  unknownRequire(specifier: string): never;
}

export function handleOf(instance: Instance): Handle {
  const { facts, meta } = instance;
  return {
    exports(locals, required) {
      Object.assign(instance.locals, locals);
      instance.required = required;
    },
    namespace: (number) => importOf(instance, number).namespace,
    exported: (number) => importOf(instance, number).exports,
    default: (number) => importOf(instance, number).interopDefault,
    star: (number) => importOf(instance, number).star(facts.node),
    require: (number) => requireModule(facts.requires![number]!),
    load: (number) => load(instance, ...facts.loads![number]!),
    url: (path) => new URL(path, meta.url),
    meta,
    get hot() {
      return contextOf(instance);
    },
    addressOf,
    interopNamespace,
    missing,
    unknownRequire,
  };
}
