// Style sheets: each is a link, at its place among all.
import { withStyles } from "portalgen:helpers";

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
