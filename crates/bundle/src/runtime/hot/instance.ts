// Instances: modules that run on the page, as far as they have come.
import { interopDefault, interopNamespace, toCommonJS } from "portalgen:helpers";
import type { Context } from "portalgen:hot/context";
import { type CommonJsModule, type Definition, definitionOf, type Facts } from "portalgen:hot/definitions";

export type Namespace = Record<string, unknown>;

type State =
  | "new"
  /** It has said what it exports. */
  | "linked"
  /** It or something that it imports is running. */
  | "evaluating"
  /** It waits for something. */
  | "waiting"
  | "evaluated"
  | "failed";

/** A module of the page. It outlives its definitions: who has its namespace sees what the newest one exports. */
export class Instance {
  readonly name: string;
  definition: Definition;
  readonly namespace: Namespace = Object.create(null);
  state: State = "new";
  /** The end of its evaluation, while it waits. */
  waiting: Promise<void> | undefined;
  /** What it has thrown. */
  failure: { error: unknown } | undefined;
  /** The code of an ES module, which has stopped where the evaluation begins. */
  body: Iterator<unknown> | AsyncIterator<unknown> | undefined;
  /** For each export of its own, a function that reads the variable. */
  locals: Record<string, () => unknown> = Object.create(null);
  /** What `require` gives, where an ES module says so. */
  required: (() => unknown) | undefined;
  /** A CommonJS module that has begun to run. */
  module: CommonJsModule | undefined;
  /** The namespace of an external module. */
  external: Namespace | undefined;
  /** `import.meta.hot` */
  context: Context | undefined;
  readonly meta: { url: string };
  private converted: Partial<Record<"default" | "star" | "node" | "required", { value: unknown }>> = {};

  constructor(definition: Definition, url: string) {
    this.name = definition.name;
    this.definition = definition;
    this.meta = Object.assign(Object.create(null), { url });
    Object.defineProperty(this.namespace, Symbol.toStringTag, { value: "Module" });
  }

  get facts(): Facts {
    return this.definition.facts;
  }

  get isCommonJs(): boolean {
    return this.facts.kind === "cjs";
  }

  /** Whether its names show only when it has run. */
  get isDynamic(): boolean {
    return this.isCommonJs || this.facts.kind === "external";
  }

  /** What it exports, as far as that is one value. */
  get exports(): unknown {
    return this.isCommonJs ? this.module?.exports : (this.external ?? this.namespace);
  }

  /** What a default import of a CommonJS module means where `__esModule` is honoured. */
  get interopDefault(): unknown {
    if (this.facts.default === "exports") return this.exports;
    return this.once("default", () => interopDefault(this.exports));
  }

  /** What `import * as` of any module means. */
  star(node: boolean | undefined): Namespace {
    if (!this.isCommonJs) return this.exports as Namespace;
    return this.once(node ? "node" : "star", () => interopNamespace(this.exports, node)) as Namespace;
  }

  /** What `require` of an ES module gives. */
  get commonJs(): unknown {
    return this.required ? this.required() : this.once("required", () => toCommonJS(this.namespace));
  }

  private once(kind: keyof Instance["converted"], convert: () => unknown): unknown {
    return (this.converted[kind] ??= { value: convert() }).value;
  }

  /** Lets it begin anew, with the newest definition. */
  reset() {
    this.definition = definitionOf(this.name);
    this.state = "new";
    this.locals = Object.create(null);
    this.converted = {};
    this.waiting = this.failure = this.body = this.required = this.module = this.external = undefined;
  }
}

const instances = new Map<string, Instance>();

/** The module of that name, which is made of the newest definition if it is not there. */
export function instanceOf(name: string): Instance {
  let instance = instances.get(name);
  if (!instance) {
    instance = new Instance(definitionOf(name), import.meta.url);
    instances.set(name, instance);
  }
  return instance;
}

/** The module of that name, if it is there. */
export function existing(name: string): Instance | undefined {
  return instances.get(name);
}

export function allInstances(): Iterable<Instance> {
  return instances.values();
}

/** Forgets a module that nothing reaches any more. */
export function drop(name: string) {
  instances.delete(name);
}

/** Adds a module that is not defined by the server. */
export function adopt(name: string, exports: Namespace) {
  const instance = new Instance({ name, hash: "", facts: {}, factory: null, revision: 0 }, import.meta.url);
  instance.state = "evaluated";
  for (const key of Object.keys(exports)) {
    instance.locals[key] = () => exports[key];
    Object.defineProperty(instance.namespace, key, { enumerable: true, configurable: true, get: instance.locals[key]! });
  }
  instances.set(name, instance);
}

/** The modules that one imports, in order. */
export function importsOf(instance: Instance): Instance[] {
  return (instance.facts.imports ?? []).map(instanceOf);
}

/** The module behind an import. */
export function importOf(instance: Instance, number: number): Instance {
  return instanceOf(instance.facts.imports![number]!);
}
