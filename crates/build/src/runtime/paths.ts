// The portal's addresses: which route a path belongs to, and how a route is written in a link.
import type { Path, To } from "react-router";
import { notFound, pages, redirects, slash } from "portalgen:site";

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
  const page = slash === "never" && !isKnown(route) ? route.replace(/\.html$/, "") : route;
  return isKnown(page) ? page : route;
}

function isKnown(route: string): boolean {
  return pages.has(route) || redirects.has(route);
}

function decode(segment: string): string {
  try {
    const decoded = decodeURIComponent(segment).normalize();
    return decoded.includes("/") ? segment : decoded;
  } catch {
    return segment;
  }
}

/** The route of the page that is shown at `pathname`; empty where that is the not-found page. */
export function shownAt(pathname: string): string {
  const route = routeOf(pathname);
  return pages.has(route) ? route : "";
}

/** Loads the page of a route; `undefined` where there is no such page. */
export function pageOf(route: string) {
  return pages.get(route);
}

/** Where a route redirects to, if it does. */
export function redirectOf(route: string): string | undefined {
  return redirects.get(route);
}

/** The page for addresses that are no route. */
export const notFoundPage = notFound;

/** The path of a route below the base, as components see it. */
export function pathnameOf(route: string): string {
  const segments = route.split("/").map((segment) => encodeURIComponent(segment).replace(/%(2[46BC]|3[ABD]|40)/g, decode));
  return base + segments.join("/").slice(1);
}

/** The address of the file that says what a page is called; an empty route stands for the not-found page. */
export function dataOf(route: string): string {
  if (!route) return `${base}404.json`;
  if (slash === "never" && route !== "/") return `${pathnameOf(route)}.page.json`;
  return `${withSlash(pathnameOf(route))}page.json`;
}

function withSlash(path: string): string {
  return path.replace(/\/*$/, "/");
}

/** Writes a link. Known routes get the form under which they are served, so that no visitor is redirected to it. */
export function createHref(to: To): string {
  const { pathname = "", search = "", hash = "" } = typeof to === "string" ? ({ pathname: to } as Partial<Path>) : to;
  const route = routeOf(pathname);
  const path = isKnown(route) ? addressOf(route) : encodePath(pathname);
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
