// `import.meta.hot`: what a module says about being replaced. As in Vite.
import { listen, type Listener, unlisten } from "portalgen:hot/events";
import type { Instance, Namespace } from "portalgen:hot/instance";
import { invalidate } from "portalgen:hot/updates";

type AcceptedModules = (modules: (Namespace | undefined)[]) => void;

/** What to do when some of a module's imports have been replaced. */
export interface Acceptance {
  /** Their names. */
  names: string[];
  /** Gets one for each of them: undefined, if it is what it was. */
  callback: AcceptedModules;
}

export interface Context {
  /** Kept from one version of the module to the next. */
  readonly data: Record<string, unknown>;
  accept(callback?: (module: Namespace | undefined) => void): void;
  accept(specifier: string, callback?: (module: Namespace | undefined) => void): void;
  accept(specifiers: readonly string[], callback?: AcceptedModules): void;
  acceptExports(names: string | readonly string[], callback?: (module: Namespace | undefined) => void): void;
  dispose(callback: (data: Record<string, unknown>) => void): void;
  prune(callback: (data: Record<string, unknown>) => void): void;
  invalidate(message?: string): void;
  decline(): void;
  on(event: string, listener: Listener): void;
  off(event: string, listener: Listener): void;
  /** Nobody is there to hear. */
  send(event: string, payload?: unknown): void;
}

/** What a module has said. */
export interface Wishes {
  acceptsItself: boolean;
  declines: boolean;
  ownCallbacks: ((module: Namespace | undefined) => void)[];
  acceptances: Acceptance[];
  disposers: ((data: Record<string, unknown>) => void)[];
  pruners: ((data: Record<string, unknown>) => void)[];
  listeners: [string, Listener][];
}

const wishes = new WeakMap<Instance, Wishes>();
const kept = new WeakMap<Instance, Record<string, unknown>>();

/** What a module has said, if it has asked for `import.meta.hot`. */
export function wishesOf(instance: Instance): Wishes | undefined {
  return wishes.get(instance);
}

export function contextOf(instance: Instance): Context {
  return (instance.context ??= newContext(instance));
}

function newContext(instance: Instance): Context {
  const said: Wishes = {
    acceptsItself: false,
    declines: false,
    ownCallbacks: [],
    acceptances: [],
    disposers: [],
    pruners: [],
    listeners: [],
  };
  wishes.set(instance, said);
  const data = kept.get(instance) ?? {};
  kept.set(instance, data);

  function acceptItself(callback?: (module: Namespace | undefined) => void) {
    said.acceptsItself = true;
    if (callback) said.ownCallbacks.push(callback);
  }

  function acceptImports(specifiers: readonly string[], callback: AcceptedModules) {
    const known = new Map(instance.facts.specifiers);
    const names = specifiers.map((specifier) => known.get(specifier) ?? "");
    specifiers.forEach((specifier, at) => {
      if (!names[at]) console.warn(`portalgen: ${instance.name} accepts "${specifier}", which it does not import`);
    });
    said.acceptances.push({ names, callback });
  }

  return {
    data,
    accept(first?: unknown, callback?: (modules: never) => void) {
      if (typeof first === "string") acceptImports([first], ([module]) => callback?.(module as never));
      else if (Array.isArray(first)) acceptImports(first, (modules) => callback?.(modules as never));
      else acceptItself(first as undefined | ((module: Namespace | undefined) => void));
    },
    acceptExports: (_, callback) => acceptItself(callback),
    dispose: (callback) => void said.disposers.push(callback),
    prune: (callback) => void said.pruners.push(callback),
    invalidate: (message) => invalidate(instance, message),
    decline: () => void (said.declines = true),
    on(event, listener) {
      said.listeners.push([event, listener]);
      listen(event, listener);
    },
    off: unlisten,
    send() {},
  };
}

/** Lets a module release what it holds before it is replaced or goes. */
export function dispose(instance: Instance) {
  const said = wishes.get(instance);
  if (!said) return;
  wishes.delete(instance);
  instance.context = undefined;
  const data = kept.get(instance)!;
  for (const [event, listener] of said.listeners) unlisten(event, listener);
  for (const disposer of said.disposers) attempt(() => disposer(data));
}

/** The same for one that does not come back. */
export function prune(instance: Instance) {
  const pruners = wishes.get(instance)?.pruners ?? [];
  dispose(instance);
  for (const pruner of pruners) attempt(() => pruner(kept.get(instance)!));
}

/** What cannot be released keeps nothing else from being. */
function attempt(work: () => void) {
  try {
    work();
  } catch (error) {
    console.error(error);
  }
}
