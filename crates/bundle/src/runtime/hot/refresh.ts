// React Refresh: replaces components while they show. The package is the site's own, if it has one.
import { pages } from "portalgen:hot/definitions";
import { type Instance, instanceOf } from "portalgen:hot/instance";

/** What `react-refresh/runtime` offers. */
interface Runtime {
  injectIntoGlobalHook(target: typeof globalThis): void;
  register(type: unknown, id: string): void;
  createSignatureFunctionForTransform(): (...rest: unknown[]) => unknown;
  isLikelyComponentType(type: unknown): boolean;
  /** What all versions of a component have in common. */
  getFamilyByType(type: unknown): object | undefined;
  performReactRefresh(): unknown;
}

let runtime: Runtime | undefined;
/** For each module, the families of what it exported last. */
const families = new WeakMap<Instance, Map<string, object | undefined>>();
/** Modules that export components of other families than before. */
const regrouped = new WeakSet<Instance>();

/** Takes over the runtime, which has run. React's renderers have not: they look for it when they do. */
export function useRuntime(name: string) {
  runtime = instanceOf(name).exports as Runtime;
  runtime.injectIntoGlobalHook(globalThis);
}

/** Registers the components that the code of a module declares. */
export function registrar(module: string) {
  return (type: unknown, name: string) => runtime?.register(type, `${module} ${name}`);
}

/** Makes the functions that note which hooks a component calls. */
export function signer() {
  return () => runtime?.createSignatureFunctionForTransform() ?? ((type: unknown) => type);
}

/** Registers the components that a module exports, which may have no names of their own. */
export function registerExports(instance: Instance) {
  if (!runtime || !instance.facts.refresh) return;
  const found = new Map<string, object | undefined>();
  for (const [name, value] of exportsOf(instance)) {
    if (isComponent(instance, name, value)) runtime.register(value, `${instance.name} exports ${name}`);
    found.set(name, familyOf(value));
  }
  const known = families.get(instance) ?? found;
  const isOther = ([name, family]: [string, object | undefined]) => found.has(name) && found.get(name) !== family;
  if ([...known].some(isOther)) regrouped.add(instance);
  families.set(instance, found);
}

function familyOf(value: unknown): object | undefined {
  const mayBeComponent = typeof value === "function" || (typeof value === "object" && value !== null);
  return mayBeComponent ? runtime?.getFamilyByType(value) : undefined;
}

/** Whether React puts one component in the place of another one by itself. */
export function isNewVersion(before: unknown, after: unknown): boolean {
  const family = familyOf(before);
  return before === after || (!!family && family === familyOf(after));
}

/** Whether a module that has run again exports something else than new versions of its components. Says so once. */
export function isRegrouped(instance: Instance): boolean {
  return regrouped.delete(instance);
}

/** Whether an export is a component, going by what it is, and in case of a page, by what it is used as. */
function isComponent({ name: module }: Instance, name: string, value: unknown): boolean {
  return runtime!.isLikelyComponentType(value) || (name === "default" && typeof value === "function" && pages.has(module));
}

/** The exports that can be read. */
function exportsOf(instance: Instance): [string, unknown][] {
  return Object.keys(instance.namespace).flatMap((name): [string, unknown][] => {
    try {
      return [[name, instance.namespace[name]]];
    } catch {
      // A circle has come here too early.
      return [];
    }
  });
}

/** Whether React can replace all that a module exports: these are components. */
export function isBoundary(instance: Instance): boolean {
  return !!runtime && !!instance.facts.refresh && instance.state === "evaluated" && !otherExport(instance) && hasExports(instance);
}

function hasExports({ namespace }: Instance): boolean {
  return Object.keys(namespace).length > 0;
}

/** The name of an export that is no component, if there is one. */
export function otherExport(instance: Instance): string | undefined {
  if (!runtime || !instance.facts.refresh) return undefined;
  return exportsOf(instance).find(([name, value]) => !isComponent(instance, name, value))?.[0];
}

/** Lets React render with the newest components. */
export function refresh() {
  runtime?.performReactRefresh();
}
