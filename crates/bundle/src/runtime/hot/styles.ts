// Style sheets: each is a link, at its place among all.
import { withoutStyles, withStyles } from "portalgen:helpers";

/** A style sheet. It has no file if it is gone. */
export interface Sheet {
  key: string;
  file: string | null;
  place: number;
}

/** For each module that scripts are made for, the sheets that it needs. */
const needed = new Map<string, Sheet[]>();

/** Notes the sheets of a module that scripts are made for. */
export function noteStyles(root: string, sheets: Sheet[]) {
  needed.set(root, sheets);
}

/** Whoever keeps the sheets of the document: the client of a development server, which shows when one is missing. */
interface Keeper {
  load(root: string, sheets: { key: string; href: string; place: number }[]): Promise<void>;
}

function keeper(): Keeper | undefined {
  return (globalThis as unknown as Record<symbol, Keeper | undefined>)[Symbol.for("portalgen.styles")];
}

/** Loads the sheets of a module that is loaded with `import()`. */
export async function loadStylesOf(root: string) {
  const sheets = needed.get(root) ?? [];
  const linked = sheets.flatMap(({ key, file, place }) => (file ? [{ key, href: hrefOf(file), place }] : []));
  if (keeper()) await keeper()?.load(root, linked);
  else if (linked.length) await withStyles(placesOf(sheets), Promise.resolve());
}

function placesOf(sheets: Sheet[]): Record<string, number> {
  return Object.fromEntries(sheets.flatMap(({ file, place }) => (file ? [[hrefOf(file), place]] : [])));
}

function hrefOf(file: string): string {
  return import.meta.env.BASE_URL + file;
}

/**
 * Takes over sheets that have changed, and lists of sheets. A new sheet is there before the old one goes, so nothing ever
 * shows without its rules.
 */
export async function updateStyles(changed: Sheet[], roots: Record<string, Sheet[]>) {
  const changes = new Map(changed.map((sheet) => [sheet.key, sheet]));
  for (const [root, sheets] of needed) needed.set(root, sheets.map((sheet) => changes.get(sheet.key) ?? sheet));
  for (const [root, sheets] of Object.entries(roots)) if (needed.has(root)) needed.set(root, sheets);
  if (typeof document === "undefined" || keeper()) return;
  const wanted = placesOf([...needed.values()].flat());
  await withStyles(wanted, Promise.resolve()).catch((error) => console.error(error));
  const urls = new Set(Object.keys(wanted).map(absolute));
  for (const link of ours()) if (!urls.has(link.href)) withoutStyles(link.href);
  putInOrder(new Map(Object.entries(wanted).map(([href, place]) => [absolute(href), place])));
}

function absolute(href: string): string {
  return new URL(href, import.meta.url).href;
}

/** The links to sheets of the hot graph. */
function ours(): HTMLLinkElement[] {
  const start = absolute(hrefOf("__portalgen/style/"));
  const links = document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]");
  return [...links].filter((link) => link.href.startsWith(start));
}

/** Moves the links that stand behind others which come later. */
function putInOrder(places: Map<string, number>) {
  const links = ours();
  const placeOf = (link: HTMLLinkElement) => places.get(link.href) ?? 0;
  links.forEach((link, at) => {
    const later = links.slice(0, at).find((other) => placeOf(other) > placeOf(link));
    if (later) later.before(link);
  });
}
