// Loading: scripts and style sheets that are not there yet.
import { definitionOf, isDefined } from "portalgen:hot/definitions";
import { emit } from "portalgen:hot/events";
import { evaluate } from "portalgen:hot/evaluation";
import { existing, type Instance, instanceOf, type Namespace } from "portalgen:hot/instance";
import { isNewVersion } from "portalgen:hot/refresh";
import { loadStylesOf } from "portalgen:hot/styles";

/** Modules that have been loaded for themselves, by their names. */
export const loaded = new Set<string>();

/** The components of pages, by the names of their modules, as they were handed out. */
const handedOut = new Map<string, Set<unknown>>();

/** How long React may take to show what was loaded, in milliseconds: a fallback that shows stays for 300. */
const patience = 400;

/** How many modules have gone. */
let gone = 0;

/** When a part of a page was loaded last. */
let lastLoaded = -Infinity;

/**
 * Waits until React shows the parts of pages that were loaded. It goes on with the components that it has begun to render
 * with, and does not replace them before they are in the document.
 */
export async function allShown() {
  for (let left = patience; left > 0; ) {
    left = lastLoaded + patience - Date.now();
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
  }
}

/** What `import()` gives. */
export async function load(importer: Instance, name: string, key: string): Promise<Namespace> {
  if (!isComplete(name)) await fetchScript(name, key);
  await loadStylesOf(name);
  await start(name);
  // What the runtime loads for itself is no part of a page.
  if (!importer.name.startsWith("portalgen:")) lastLoaded = Date.now();
  return instanceOf(name).star(importer.facts.node);
}

/**
 * The address of a script that is asked for now. Browsers run what is at an address once, and a module that has gone and is
 * there again has to be sent again.
 */
export function addressOf(script: string): string {
  return gone ? `${script}?${gone}` : script;
}

/** Forgets that a module was loaded: it has gone, and is no page any more. */
export function unload(name: string) {
  gone++;
  loaded.delete(name);
  for (const before of handedOut.get(name) ?? []) emit("portalgen:page", { before, after: undefined });
  handedOut.delete(name);
}

/** Evaluates a module that something loads by itself. Gives a promise if there is something to wait for. */
export function start(name: string): Promise<void> | undefined {
  loaded.add(name);
  return evaluate(instanceOf(name));
}

/** The default export of a page. */
export async function page(name: string): Promise<unknown> {
  await loadStylesOf(name);
  await start(name);
  const component = componentOf(instanceOf(name));
  handedOut.set(name, (handedOut.get(name) ?? new Set()).add(component));
  return component;
}

/** The component of a page. What is none could not be shown, nor be replaced once it is one. */
function componentOf(instance: Instance): unknown {
  const component = instance.isCommonJs ? instance.interopDefault : instance.namespace.default;
  const isWrapped = typeof component === "object" && component !== null && "$$typeof" in component && !("props" in component);
  if (typeof component === "function" || isWrapped) return component;
  throw new TypeError(`The default export of ${instance.name} is not a component`);
}

/**
 * Has those who show pages take other components, where React does not replace the old ones by itself. Throws if a page has
 * none any more.
 */
export function replacePages() {
  for (const [name, components] of handedOut) {
    const instance = existing(name);
    if (!instance) continue;
    const after = componentOf(instance);
    for (const before of [...components]) {
      if (isNewVersion(before, after)) continue;
      components.delete(before);
      components.add(after);
      emit("portalgen:page", { before, after });
    }
  }
}

/** Whether a module and all that it reaches at once have been sent. */
function isComplete(root: string): boolean {
  const seen = new Set<string>();
  const stack = [root];
  for (let name = stack.pop(); name !== undefined; name = stack.pop()) {
    if (seen.has(name)) continue;
    if (!isDefined(name)) return name === helpers;
    seen.add(name);
    const { imports = [], requires = [] } = definitionOf(name).facts;
    stack.push(...imports, ...requires);
  }
  return true;
}

/** Is there without having been sent. */
const helpers = "portalgen:helpers";

async function fetchScript(name: string, key: string) {
  try {
    await importScript(addressOf(`./page/${key}.js`));
  } catch (error) {
    // What had failed before may have been mended since.
    if (!isComplete(name)) throw error;
  }
}

/** Imports what lies beside the script that this is part of, and is no file of the site. */
function importScript(url: string): Promise<unknown> {
  return import(url);
}
