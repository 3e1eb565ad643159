// What routes.toml says, read apart from portalgen.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { root } from "./portalgen.ts";

interface Route {
  /** As in links, with a slash at the end. */
  path: string;
  title: string;
  redirect?: string;
}

interface Configuration {
  portal: { product: string };
  not_found: { title: string };
  route: Route[];
}

const text = readFileSync(join(root, "routes.toml"), "utf8");
const { portal, not_found: notFound, route: routes } = parse(text) as unknown as Configuration;

const all = routes.map((route) => ({
  ...route,
  path: route.path.replace("{product}", portal.product).replace(/\/*$/, "/"),
}));

/** The routes that show a page. */
export const pages = all.filter(({ redirect }) => redirect === undefined);

/** The routes that lead to the chat site, with the path that they lead to there. */
export const stubs = all.flatMap(({ path, title, redirect }) =>
  redirect === undefined ? [] : [{ path, title, target: redirect.replace("{host}", "") }],
);

export const notFoundTitle = notFound.title;

/** A path that is no route. */
export const unknownPath = "/no/such/page";

/** The title of a page. */
export function titleOf(path: string): string {
  const page = pages.find((page) => page.path === path);
  if (!page) throw new Error(`routes.toml has no page ${path}`);
  return page.title;
}
