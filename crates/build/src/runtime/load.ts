// Loads what a page needs before it can show: the small file that says what it is made of, its code and its styles.
import type { ComponentType } from "react";
import { dataOf, isPage } from "portalgen:paths";
import { twice, withStyles } from "portalgen:helpers";

/** A page, ready to show. */
export interface Loaded {
  /** Its route; empty for the not-found page. */
  route: string;
  Page: ComponentType;
  title: string;
}

/** An address to go on to. */
export interface Redirect {
  redirect: string;
}

/** What a page is made of besides what all pages have. All addresses begin with a slash. */
interface PageFiles {
  /** Its script. */
  script: string;
  /** The scripts that this imports. */
  imports?: string[];
  /** Its style sheets, with their places among all. */
  styles?: Record<string, number>;
  /** Hashes to check these by. */
  integrity?: Record<string, string>;
  /** What all pages have: pages of another release do not fit to what runs here. */
  release: string;
}

/** What a document says of its page. Titles stay out of it, and out of the code: the document has one. */
interface DocumentData extends PageFiles {
  /** Empty for the not-found page. */
  route: string;
}

/** The file that the build writes beside each page. */
interface PageData extends PageFiles {
  title: string;
}

/** A component of a page, and the one that shows in its place, unless the page is gone. */
export interface Replaced {
  before: ComponentType;
  after: ComponentType | undefined;
}

/** There is no such page here, or it is one of another release: only the server can tell what is there. */
export class Elsewhere extends Error {}

/** What there is at each route, as far as it was asked for. */
const loading = new Map<string, Promise<Loaded | Redirect>>();
/** Data that was asked for before the page was. */
const early = new Map<string, Promise<PageData | Redirect | undefined>>();
// A development server tells of titles that were edited, and of components that React cannot replace by itself.
if (import.meta.hot) {
  addEventListener("portalgen:title", (event) => void retitle((event as CustomEvent).detail));
  import.meta.hot.on("portalgen:page", (change) => void replace(change as Replaced));
}

/** Components that others have taken the places of. Browsers remember what scripts have exported. */
const replaced = new Map<ComponentType, ComponentType>();

/** The release that runs. A document whose template says nothing of its page does not tell. */
let release: string | undefined;

/**
 * Loads the page that the document holds, whatever address it was sent for: `at` is the route of that. The page stays there
 * for those who come back.
 */
export async function loadFirst(at: string): Promise<Loaded> {
  const data = dataOfDocument() ?? (await dataOfAddress(at));
  release = data.release;
  const { route } = data;
  const first = loadFiles(data).then((Page) => ({ route, Page, title: document.title }));
  loading.set(at, first);
  first.catch(() => loading.delete(at));
  return first;
}

/** What the document says of its page. A template need not have it. */
export function dataOfDocument(): DocumentData | undefined {
  const element = document.getElementById("portal-data");
  return element ? JSON.parse(element.textContent) : undefined;
}

/** What is said of the page by the file beside it. What is there for no address is the not-found page. */
async function dataOfAddress(at: string): Promise<DocumentData> {
  const found = isPage(at) ? await lookUp(at).catch(() => undefined) : undefined;
  if (found && !("redirect" in found)) return { ...found, route: at };
  return { ...((await lookUp("")) as PageData), route: "" };
}

/**
 * Loads what there is at a route. A failed attempt is not remembered.
 *
 * @throws Elsewhere where only the server can tell
 */
export function load(route: string): Promise<Loaded | Redirect> {
  let promise = loading.get(route);
  if (!promise) {
    promise = loadAfresh(route);
    loading.set(route, promise);
    promise.catch(() => loading.delete(route));
  }
  return promise;
}

async function loadAfresh(route: string): Promise<Loaded | Redirect> {
  if (!isPage(route)) throw new Elsewhere(`${route} is no page`);
  const data = await lookUp(route);
  if (!data) throw new Elsewhere(`There is nothing at ${route}`);
  if ("redirect" in data) return data;
  if (data.release !== release) throw new Elsewhere(`${route} is of another release`);
  return { route, Page: await loadFiles(data), title: data.title };
}

async function retitle({ route, title }: { route: string; title: string }) {
  const page = await loading.get(route);
  if (page && "title" in page) page.title = title;
}

async function replace({ before, after }: Replaced) {
  if (after) replaced.set(before, after);
  for (const [route, promise] of loading) {
    const page = await promise;
    if (!("Page" in page) || page.Page !== before) continue;
    if (after) page.Page = after;
    else loading.delete(route);
  }
}

/** Asks for what is probably wanted next. What fails is asked for again when it is wanted. */
export function prepare(route: string) {
  if (loading.has(route) || early.has(route) || !isPage(route)) return;
  const reading = readData(route);
  early.set(route, reading);
  reading.then(
    (data) => data && !("redirect" in data) && !import.meta.env.INTEGRITY && fetchFiles(data),
    () => early.delete(route),
  );
  // Until then it is as good as new.
  setTimeout(() => early.delete(route), 30_000);
}

/** What the build says of a route; nothing where there is none. */
export function lookUp(route: string): Promise<PageData | Redirect | undefined> {
  const read = () => twice(() => readData(route));
  return early.get(route)?.catch(read) ?? read();
}

async function readData(route: string): Promise<PageData | Redirect | undefined> {
  const file = dataOf(route);
  const response = await fetch(file);
  if (response.status === 404 || response.status === 410) return undefined;
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  return response.json();
}

async function loadFiles(files: PageFiles): Promise<ComponentType> {
  const { default: Page } = await twice(async () => {
    if (import.meta.env.INTEGRITY) await checkScripts(files);
    else fetchScripts(files);
    const script = import.meta.hot ? addressNow(files.script) : files.script;
    return withStyles(files.styles ?? {}, import(script), files.integrity);
  });
  return import.meta.hot ? newest(Page) : Page;
}

/** The address of a script, which a development server may have sent before with other modules. */
function addressNow(script: string): string {
  const registry = (window as unknown as Record<symbol, { addressOf(script: string): string }>)[Symbol.for("portalgen.hot")];
  return registry!.addressOf(script);
}

function newest(Page: ComponentType): ComponentType {
  const later = replaced.get(Page);
  return later ? newest(later) : Page;
}

/** Has the browser fetch all that a page needs. */
function fetchFiles(files: PageFiles) {
  fetchScripts(files);
  for (const href of Object.keys(files.styles ?? {})) if (!isLinked(href)) addLink({ rel: "preload", href, as: "style" });
}

/** Has the browser fetch a page's scripts side by side. */
function fetchScripts({ script, imports = [] }: PageFiles) {
  for (const href of [script, ...imports]) if (!isLinked(href)) addLink({ rel: "modulepreload", href });
}

function isLinked(href: string): boolean {
  return [...document.querySelectorAll("link")].some((link) => link.getAttribute("href") === href);
}

/** Has the browser check a page's scripts by their hashes. What was fetched and found right is what an import gives. */
async function checkScripts({ script, imports = [], integrity = {} }: PageFiles) {
  await Promise.all(
    [script, ...imports].map(
      (href) =>
        new Promise<void>((resolve, reject) => {
          const link = addLink({ rel: "modulepreload", href, integrity: integrity[href] ?? "" });
          link.onload = () => resolve();
          link.onerror = () => {
            link.remove();
            reject(new Error(`Cannot load ${link.href}`));
          };
        }),
    ),
  );
}

function addLink(attributes: Partial<HTMLLinkElement>): HTMLLinkElement {
  const link = Object.assign(document.createElement("link"), attributes);
  document.head.append(link);
  return link;
}
