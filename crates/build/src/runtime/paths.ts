// The portal's addresses: which route a path belongs to, and how a route is written in a link.
import type { Path, To } from "react-router";
import { exceptions, slash } from "portalgen:site";

/** The folder that the portal is served from, with a slash at both ends. */
const base: string = import.meta.env.BASE_URL;

/** The same, as React Router wants it: `/` or `/app/`. */
export const basename = base;

/** What the not-found page's components see as their path. No route can have it. */
export const notFoundPath = "/404";

/**
 * The route that `pathname` leads to, decoded and without what hosts let stand at the end: `/about`, `/about/`,
 * `/about/index.html` and, where pages are files of their own, `/about.html` are the route `/about`.
 */
export function routeOf(pathname: string): string {
  const inside = `${pathname}/`.startsWith(base) ? pathname.slice(base.length - 1) : pathname;
  const route = inside.split("/").map(decode).join("/").replace(/(\/index\.html)?\/*$/, "") || "/";
  const page = slash === "never" && !isPage(route) ? route.replace(/\.html$/, "") : route;
  return isPage(page) ? page : route;
}

/**
 * Whether a path reads like that of a page, which has no dot in its last part, and not like that of a file. Scripts know
 * no list of the portal's pages, since it would be another one with each page that comes or goes; they know those paths
 * that read like the other kind.
 */
export function isPage(route: string): boolean {
  // What the not-found page makes of a relative link is no address of the portal.
  if (`${route}/`.startsWith(`${notFoundPath}/`)) return false;
  return route.slice(route.lastIndexOf("/")).includes(".") === exceptions.has(route);
}

function decode(segment: string): string {
  try {
    const decoded = decodeURIComponent(segment).normalize();
    return decoded.includes("/") ? segment : decoded;
  } catch {
    return segment;
  }
}

/** The path of a route below the base, as components see it. */
export function pathnameOf(route: string): string {
  const segments = route.split("/").map((segment) => encodeURIComponent(segment).replace(/%(2[46BC]|3[ABD]|40)/g, decode));
  return base + segments.join("/").slice(1);
}

/** The address of the file that says what there is at a route; an empty route stands for the not-found page. */
export function dataOf(route: string): string {
  if (!route) return `${base}404.json`;
  if (slash === "never" && route !== "/") return `${pathnameOf(route)}.page.json`;
  return `${withSlash(pathnameOf(route))}page.json`;
}

function withSlash(path: string): string {
  return path.replace(/\/*$/, "/");
}

/** Writes a link. Pages get the form under which they are served, so that no visitor is redirected to it. */
export function createHref(to: To): string {
  const { pathname = "", search = "", hash = "" } = typeof to === "string" ? ({ pathname: to } as Partial<Path>) : to;
  const route = routeOf(pathname);
  const path = isPage(route) ? addressOf(route) : encodePath(pathname);
  return path + search + hash;
}

/** Where a server has a route. */
function addressOf(route: string): string {
  return slash === "always" ? withSlash(pathnameOf(route)) : pathnameOf(route);
}

/** Percent-encodes what may not stand in a path, and leaves escapes alone. */
function encodePath(path: string): string {
  const escaped = path.replaceAll("?", "%3F").replaceAll("#", "%23");
  return new URL(`http://portal${path.startsWith("/") ? "" : "/"}${escaped}`).pathname;
}
