// Updates: modules that have changed run again, and with them what depends on them, all before anyone sees any of it.
import { dispose, prune, wishesOf } from "portalgen:hot/context";
import { define, type Definition, type Facts, forget } from "portalgen:hot/definitions";
import { emit } from "portalgen:hot/events";
import { evaluateAlone, link } from "portalgen:hot/evaluation";
import { allInstances, drop, existing, type Instance, type Namespace } from "portalgen:hot/instance";
import { allShown, loaded, replacePages, unload } from "portalgen:hot/loading";
import { fillNamespace, handsOn, shapeOf } from "portalgen:hot/namespaces";
import { importersOfAll, type Plan, planFor, type Reason } from "portalgen:hot/propagation";
import { isBoundary, isRegrouped, refresh } from "portalgen:hot/refresh";

/** What the server has changed. */
export interface Update {
  /** Scripts that define modules. Each says where it was written. */
  definitions?: string[];
  /** The names of modules that nothing reaches any more. */
  removed?: string[];
}

/** What has become of an update. Each reason says why more than the changed modules had to run again. */
export type Outcome =
  | { kind: "applied"; reasons: Reason[] }
  /** Only a new document shows what there is now. */
  | { kind: "reload"; reason: Reason; reasons: Reason[] }
  /** A module has thrown. The next update makes up for this one. */
  | { kind: "failed"; error: unknown; reasons: Reason[] };

/** Modules that have to run again. What fails stays among them. */
const pending = new Set<string>();
/** Modules that were to take a change when something failed. */
const expected = new Set<Instance>();
/** Modules that have said that they cannot take a change, with their reasons. */
const invalidated = new Map<Instance, string>();
let isApplying = false;
let queue: Promise<unknown> = Promise.resolve();
let hear: (outcome: Outcome) => void = () => {};

/** Takes definitions over, which are of a revision of the sources: those of a later one may have come before. */
export function defineAll(definitions: [string, string, Facts, Definition["factory"]][], revision: number) {
  for (const definition of definitions) if (define(definition, revision) && existing(definition[0])) pending.add(definition[0]);
}

/** Applies an update, after those that are under way. */
export function apply(update: Update): Promise<Outcome> {
  const outcome = queue.then(() => applyNow(update));
  queue = outcome.catch(() => {});
  return outcome;
}

/** Has a function hear of updates that modules have started. */
export function onOutcome(listener: (outcome: Outcome) => void) {
  hear = listener;
}

/** A module cannot take a change: those that import it have to. */
export function invalidate(instance: Instance, message = "") {
  invalidated.set(instance, message);
  emit("vite:invalidate", { path: instance.name, message });
  if (!isApplying) void apply({}).then((outcome) => hear(outcome));
}

async function applyNow({ definitions = [], removed = [] }: Update): Promise<Outcome> {
  const reasons: Reason[] = [];
  await allShown();
  isApplying = true;
  emit("vite:beforeUpdate", { changed: [...pending] });
  try {
    // As scripts of their own, which see nothing of this one.
    for (const script of definitions) (0, eval)(script);
    const reload = await runChanged(reasons);
    if (reload) {
      emit("vite:beforeFullReload", reload);
      return { kind: "reload", reason: reload, reasons };
    }
    removed.forEach(remove);
    pending.clear();
    expected.clear();
    replacePages();
    refresh();
    emit("vite:afterUpdate", {});
    return { kind: "applied", reasons };
  } catch (error) {
    emit("vite:error", { err: error });
    return { kind: "failed", error, reasons };
  } finally {
    isApplying = false;
  }
}

/** Runs what has changed, and what cannot take it. Returns why that is not enough, if so. */
async function runChanged(reasons: Reason[]): Promise<Reason | undefined> {
  const invalid = new Map<Instance, string>();
  let changed = [...pending].flatMap((name) => existing(name) ?? []);
  // Each round makes one module more invalid, so there is an end.
  do {
    for (const [instance, message] of invalidated) {
      invalid.set(instance, message);
      changed.push(instance);
    }
    invalidated.clear();
    const plan = planFor(changed, invalid, expected);
    reasons.push(...plan.reasons);
    if (plan.reload) return plan.reload;
    changed = await runPlan(plan);
  } while (changed.length || invalidated.size);
  return undefined;
}

/** Runs stale modules. Returns those that have to run because of what these export now. */
async function runPlan(plan: Plan): Promise<Instance[]> {
  const { stale, boundaries } = plan;
  const callbacks = callbacksOf(plan);
  const before = new Map([...boundaries].map((instance) => [instance, Object.keys(instance.namespace)]));
  const byRefresh = [...boundaries].filter((instance) => !wishesOf(instance)?.acceptsItself && isBoundary(instance));
  for (const instance of stale) pending.add(instance.name);
  for (const instance of boundaries) expected.add(instance);
  const shapes = new Map([...stale].map((instance) => [instance, shapeOf(instance)]));
  for (const instance of stale) dispose(instance);
  for (const instance of stale) instance.reset();
  for (const instance of stale) link(instance);
  // What others hand on is read where it is now: it has to be found again only if it may be another module's.
  const isOther = ([instance, shape]: [Instance, string | undefined]) => !shape || shape !== shapeOf(instance);
  if ([...shapes].some(isOther)) for (const instance of allInstances()) if (handsOn(instance)) fillNamespace(instance);
  await evaluateInOrder(stale);
  for (const callback of callbacks) callback();
  for (const instance of byRefresh) if (isRegrouped(instance) || !isBoundary(instance)) invalidated.set(instance, "");
  return holdersOfOtherNames(before);
}

/** What modules have asked for in case of the change, before they are forgotten for new ones. */
function callbacksOf({ stale, boundaries, accepting }: Plan): (() => void)[] {
  const own = [...boundaries].flatMap((instance) => {
    const callbacks = wishesOf(instance)?.ownCallbacks ?? [];
    return callbacks.map((callback) => () => callback(instance.namespace));
  });
  const moduleOf = (name: string): Namespace | undefined => {
    const instance = existing(name);
    return instance && stale.has(instance) ? instance.namespace : undefined;
  };
  const ofImporters = [...accepting].flatMap(([importer, names]) => {
    const all = stale.has(importer) ? [] : (wishesOf(importer)?.acceptances ?? []);
    const wanted = all.filter((acceptance) => acceptance.names.some((name) => names.has(name)));
    return wanted.map((acceptance) => () => acceptance.callback(acceptance.names.map(moduleOf)));
  });
  return [...own, ...ofImporters];
}

/** Evaluates modules in the order of the language: stale ones, and those that are imported now. */
async function evaluateInOrder(stale: Set<Instance>) {
  const seen = new Set<Instance>();
  const stack: [Instance, boolean][] = [...loaded].reverse().flatMap((name) => asStep(name));
  for (let step = stack.pop(); step; step = stack.pop()) {
    const [instance, isDone] = step;
    if (isDone) {
      const wait = evaluateAlone(instance);
      if (wait) await wait;
    } else if (!seen.has(instance)) {
      seen.add(instance);
      stack.push([instance, true]);
      const { imports = [], requires = [] } = instance.facts;
      // What is required runs when it is asked for, unless it has run before.
      const required = requires.filter((name) => stale.has(existing(name)!));
      stack.push(...[...imports, ...required].reverse().flatMap(asStep));
    }
  }
}

function asStep(name: string): [Instance, boolean][] {
  const instance = existing(name);
  return instance ? [[instance, false]] : [];
}

/** Modules that hand around namespaces whose names are others than before: what they have made of them may be old. */
function holdersOfOtherNames(before: Map<Instance, string[]>): Instance[] {
  const others = [...before].filter(([{ namespace }, names]) => Object.keys(namespace).join("\n") !== names.join("\n"));
  if (!others.length) return [];
  const importers = importersOfAll();
  return others.flatMap(([{ name }]) => {
    const holds = ({ facts }: Instance) => facts.whole?.some((number) => facts.imports![number] === name);
    return [...(importers.get(name) ?? [])].filter(holds);
  });
}

function remove(name: string) {
  const instance = existing(name);
  forget(name);
  unload(name);
  if (!instance) return;
  emit("vite:beforePrune", { paths: [name] });
  prune(instance);
  drop(name);
}
