// Namespaces: the names that modules export, and the variables behind them. As in the language, through re-exports and `export *`.
import { exportedNames } from "portalgen:helpers";
import type { Facts } from "portalgen:hot/definitions";
import { importOf, type Instance, type Namespace } from "portalgen:hot/instance";

/** The variable behind an export: one of a module's own, or of all modules whose names show only at run time. */
interface Binding {
  owner: Instance;
  /** All of the module, if there is none. */
  name?: string | undefined;
  /** Whether the module that asks imports as Node.js does. */
  node?: boolean | undefined;
}

/** Finds an export, as `ResolveExport` of ECMAScript does. What two `export *` mean different things by is none. */
function resolve(instance: Instance, name: string, seen = new Set<string>()): Binding | "ambiguous" | undefined {
  const key = `${instance.name}\n${name}`;
  if (seen.has(key)) return undefined;
  seen.add(key);
  if (name in instance.locals) return { owner: instance, name };
  const forward = forwardsOf(instance.facts).get(name);
  if (forward) {
    const [, from, imported] = forward;
    const owner = importOf(instance, from);
    if (imported === undefined || owner.isDynamic) return { owner, name: imported, node: instance.facts.node };
    return resolve(owner, imported, seen);
  }
  return name === "default" ? undefined : resolveStarred(instance, name, seen);
}

type Forward = NonNullable<Facts["forwards"]>[number];

const forwards = new WeakMap<Facts, Map<string, Forward>>();

/** What a module exports of others, by the names. Barrels have hundreds of them. */
function forwardsOf(facts: Facts): Map<string, Forward> {
  let known = forwards.get(facts);
  if (!known) forwards.set(facts, (known = new Map(facts.forwards?.map((forward) => [forward[0], forward]))));
  return known;
}

function resolveStarred(instance: Instance, name: string, seen: Set<string>): Binding | "ambiguous" | undefined {
  const stars = (instance.facts.stars ?? []).map((number) => importOf(instance, number));
  let found: Binding | undefined;
  // What is certain comes before what shows only at run time.
  for (const star of stars.filter((star) => !star.isDynamic)) {
    const next = resolve(star, name, seen);
    if (next === "ambiguous") return next;
    if (found && next && (found.owner !== next.owner || found.name !== next.name)) return "ambiguous";
    found ??= next;
  }
  if (found) return found;
  const owner = stars.find((star) => star.isDynamic && namesOfDynamic(star).includes(name));
  return owner && { owner, name };
}

function namesOfDynamic(instance: Instance): string[] {
  const { exports } = instance;
  return instance.facts.kind === "external" ? Object.keys(exports ?? {}) : exportedNames(exports);
}

/** All names that a module exports, whether they mean one thing or not. */
function names(instance: Instance, found = new Set<string>(), seen = new Set<Instance>()): Set<string> {
  if (seen.has(instance)) return found;
  seen.add(instance);
  for (const name of Object.keys(instance.locals)) found.add(name);
  for (const [name] of instance.facts.forwards ?? []) found.add(name);
  for (const number of instance.facts.stars ?? []) {
    const star = importOf(instance, number);
    const starred = star.isDynamic ? namesOfDynamic(star) : names(star, new Set(), seen);
    for (const name of starred) if (name !== "default") found.add(name);
  }
  return found;
}

function read({ owner, name, node }: Binding): unknown {
  if (name === undefined) return owner.star(node);
  if (!owner.isDynamic) return owner.locals[name]?.();
  if (name === "default" && owner.isCommonJs) return node ? owner.exports : owner.interopDefault;
  return (owner.exports as Namespace | undefined)?.[name];
}

/** Lets the namespace of a module have what the module exports now. */
export function fillNamespace(instance: Instance) {
  if (instance.isDynamic) return;
  const { namespace } = instance;
  const found = new Map<string, () => unknown>();
  for (const name of [...names(instance)].sort()) {
    const local = instance.locals[name];
    const binding = local ? undefined : resolve(instance, name);
    if (local) found.set(name, local);
    else if (binding && binding !== "ambiguous") found.set(name, () => read(binding));
  }
  const known = Object.keys(namespace);
  const isSameNames = known.length === found.size && known.every((name) => found.has(name));
  // The names are sorted, whatever came first.
  if (!isSameNames) for (const name of known) delete namespace[name];
  for (const [name, get] of found) Object.defineProperty(namespace, name, { enumerable: true, configurable: true, get });
}

/** Which names a module has, and where they come from. None if that shows only when it has run. */
export function shapeOf({ facts, isDynamic, locals }: Instance): string | undefined {
  if (isDynamic) return undefined;
  const { forwards, stars, imports } = facts;
  return JSON.stringify([Object.keys(locals), forwards, stars, forwards || stars ? imports : []]);
}

/** Whether what a module exports depends on others. */
export function handsOn({ facts }: Instance): boolean {
  return !!facts.stars || !!facts.forwards;
}
