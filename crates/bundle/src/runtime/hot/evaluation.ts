// Evaluation: modules run once, in the order of the language.
import type { CommonJsFactory, EsFactory } from "portalgen:hot/definitions";
import { handleOf } from "portalgen:hot/handle";
import { importsOf, type Instance, instanceOf, type Namespace } from "portalgen:hot/instance";
import { fillNamespace } from "portalgen:hot/namespaces";
import { registerExports, registrar, signer } from "portalgen:hot/refresh";

type Body = Iterator<unknown> | AsyncIterator<unknown>;

/** Lets a module and all that it imports say what they export, before any of them runs. */
export function link(root: Instance) {
  const linked: Instance[] = [];
  const stack = [root];
  for (let instance = stack.pop(); instance; instance = stack.pop()) {
    if (instance.state !== "new") continue;
    instance.state = "linked";
    linked.push(instance);
    stack.push(...importsOf(instance));
    if (!instance.isDynamic) prepare(instance);
  }
  linked.forEach(fillNamespace);
}

function prepare(instance: Instance) {
  const { name, definition } = instance;
  instance.body = (definition.factory as EsFactory)(handleOf(instance), registrar(name), signer());
  void instance.body.next();
}

/** Evaluates a module and before it what it imports. Gives a promise if there is something to wait for. */
export function evaluate(instance: Instance): Promise<void> | undefined {
  switch (instance.state) {
    case "new":
      link(instance);
      break;
    case "waiting":
      return instance.waiting;
    case "failed":
      throw instance.failure!.error;
    // One that is being evaluated is further up: this is a circle.
    case "evaluating":
    case "evaluated":
      return undefined;
  }
  instance.state = "evaluating";
  return settle(instance, () => importsOf(instance).flatMap((imported) => evaluate(imported) ?? []));
}

/** Evaluates a module whose imports have been, as far as its turn is after theirs. */
export function evaluateAlone(instance: Instance): Promise<void> | undefined {
  if (instance.state !== "linked") return instance.waiting;
  instance.state = "evaluating";
  return settle(instance, () => []);
}

/** Runs a module when what it waits for is there. */
function settle(instance: Instance, start: () => Promise<void>[]): Promise<void> | undefined {
  try {
    const waits = start();
    const running = waits.length ? Promise.all(waits).then(() => run(instance)) : run(instance);
    if (!running) {
      finish(instance);
      return undefined;
    }
    instance.state = "waiting";
    instance.waiting = running.then(
      () => finish(instance),
      (error) => fail(instance, error),
    );
    return instance.waiting;
  } catch (error) {
    return fail(instance, error);
  }
}

function finish(instance: Instance) {
  instance.state = "evaluated";
  registerExports(instance);
}

function fail(instance: Instance, error: unknown): never {
  // Who requires a CommonJS module that has failed has it run again.
  if (instance.isCommonJs) instance.state = "new";
  else {
    instance.state = "failed";
    instance.failure = { error };
  }
  throw error;
}

function run(instance: Instance): Promise<void> | undefined {
  const { facts } = instance;
  if (facts.kind === "cjs") return runCommonJs(instance);
  if (facts.kind === "external") return importExternal(instance);
  // Which names CommonJS modules have shows now.
  if (facts.stars) fillNamespace(instance);
  return proceed(instance.body!, (body) => body.next());
}

/** Runs the rest of a module. Whatever it gives out is what it waits for. */
function proceed(body: Body, step: (body: Body) => ReturnType<Body["next"]>): Promise<void> | undefined {
  const result = step(body);
  // Only async functions have some ways of waiting.
  if (result instanceof Promise) return result.then(() => undefined);
  if (result.done) return undefined;
  return Promise.resolve(result.value).then(
    (value) => proceed(body, (body) => body.next(value)),
    (error) => proceed(body, (body) => body.throw!(error)),
  );
}

function runCommonJs(instance: Instance): undefined {
  const { path, main } = instance.facts;
  const module: NonNullable<Instance["module"]> = { exports: {} };
  if (path !== undefined) {
    const folder = path.slice(0, path.lastIndexOf("/")) || "/";
    const parent = main ? null : {};
    Object.assign(module, { id: path, filename: path, path: folder, parent, loaded: false, children: [], paths: [] });
  }
  instance.module = module;
  try {
    (instance.definition.factory as CommonJsFactory)(handleOf(instance), module.exports, module);
  } catch (error) {
    instance.module = undefined;
    throw error;
  }
  if (path !== undefined) module.loaded = true;
}

async function importExternal(instance: Instance) {
  const { specifier, attributes = [] } = instance.facts;
  instance.external = await importAsIs(specifier!, attributes);
}

function importAsIs(specifier: string, attributes: [string, string][]): Promise<Namespace> {
  return attributes.length ? import(specifier, { with: Object.fromEntries(attributes) }) : import(specifier);
}

/** What `require` of a module gives. */
export function requireModule(name: string): unknown {
  const instance = instanceOf(name);
  void evaluate(instance);
  return instance.isCommonJs ? instance.exports : instance.commonJs;
}
