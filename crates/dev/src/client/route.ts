// Which route is on the screen.

/** Path of the document, and the route that it says it is of: the not-found page has none of its own. */
const first = { pathname: location.pathname, route: routeOfDocument() };

function routeOfDocument(): string | undefined {
  const element = document.getElementById("portal-data");
  return element ? (JSON.parse(element.textContent) as { route: string }).route : undefined;
}

/** The route of the page at the address that the browser is at. `base` is the folder of the portal. */
export function currentRoute(base: string): string {
  return location.pathname === first.pathname && first.route !== undefined ? first.route : routeOfAddress(base);
}

/** The route of that address, whatever page shows. */
export function routeOfAddress(base: string): string {
  return routeOf(location.pathname, base);
}

/** The route that a path leads to: decoded, and without what servers let stand at the end. */
function routeOf(pathname: string, base: string): string {
  const inside = `${pathname}/`.startsWith(base) ? pathname.slice(base.length - 1) : pathname;
  const route = inside.split("/").map(decode).join("/");
  return route.replace(/(\/index)?\.html$/, "").replace(/\/+$/, "") || "/";
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment).normalize();
  } catch {
    return segment;
  }
}

/** Calls `tell` whenever the address has become another one. */
export function watchAddress(tell: () => void) {
  // Not yet part of every browser. Elsewhere only Back and Forward are seen, and the server knows a little less.
  const { navigation } = window as { navigation?: EventTarget };
  if (navigation) navigation.addEventListener("currententrychange", tell);
  else addEventListener("popstate", tell);
}
