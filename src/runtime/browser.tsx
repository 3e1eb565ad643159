// Entry of the browser's code: hydrates the page that is there, then moves between pages without reloading.
import { useLayoutEffect, useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { type Location, type NavigationType, type Navigator, type Path, type To } from "react-router";
import { announce, restoreFocus, scrollOnArrival } from "portalgen:arrival";
import { carry } from "portalgen:carry";
import { load, type Loaded } from "portalgen:load";
import { createHref, notFoundPath, pageOf, pathnameOf, redirectOf, routeOf } from "portalgen:paths";
import { plainLocation, Portal, type View } from "portalgen:portal";

/** A view to be shown, and what is to happen once it is. */
interface Arrival extends View {
  title: string;
  /** Where to scroll: to the top or the hash, back to where the visitor was, or not at all. */
  scroll: "start" | "back" | "none";
}

const { history } = window;
let show: (arrival: Arrival) => void = () => {};
let current: Arrival;
/** Counts navigations, so that only the last one arrives. */
let latest = 0;

const navigator: Navigator = {
  createHref,
  go: (delta) => history.go(delta),
  push: (to, state) => void go(to, state, "PUSH" as NavigationType),
  replace: (to, state) => void go(to, state, "REPLACE" as NavigationType),
};

/** Every navigation that the application starts passes here, and nothing else decides where it leads. */
async function go(to: To, state: unknown, action: NavigationType) {
  const url = new URL(createHref(to), window.location.href);
  const target = redirectOf(routeOf(url.pathname));
  if (target !== undefined) {
    window.location.assign(carry(target, url.search, url.hash));
    return;
  }
  const loaded = await arrive(url);
  if (!loaded) return;
  rememberScroll();
  const entry = { state, key: Math.random().toString(36).slice(2, 10) };
  history[action === "REPLACE" ? "replaceState" : "pushState"](entry, "", url.href);
  show({ ...loaded, location: locationOf(url, entry), action, scroll: "start" });
}

/** The browser has moved along its history; the page follows. */
async function follow() {
  const url = new URL(window.location.href);
  const route = routeOf(url.pathname);
  const entry = history.state ?? { state: null, key: "default" };
  if (route === routeOf(current.location.pathname)) {
    // A link to a place on the same page, or the way back from one: the browser has scrolled already.
    latest++;
    show({ ...current, location: locationOf(url, entry), action: "POP" as NavigationType, scroll: "none" });
    return;
  }
  rememberScroll();
  const loaded = await arrive(url);
  if (loaded) show({ ...loaded, location: locationOf(url, entry), action: "POP" as NavigationType, scroll: "back" });
}

/** Loads what `url` shows. `undefined` when a later navigation has overtaken this one, or the page is left. */
async function arrive(url: URL): Promise<Loaded | undefined> {
  const navigation = ++latest;
  try {
    const loaded = await load(routeOf(url.pathname));
    return navigation === latest ? loaded : undefined;
  } catch {
    // The files of this deployment are gone, or the network is: the server knows what is there now.
    if (navigation === latest) window.location.assign(url.href);
    return undefined;
  }
}

function locationOf(url: URL, { state, key }: { state: unknown; key: string }): Location {
  const { search, hash } = url;
  return { pathname: pathnameSeen(url), search, hash, state, key };
}

/** Components see a route's path in one form, whichever form the visitor typed. */
function pathnameSeen({ pathname }: Path | URL): string {
  const route = routeOf(pathname);
  return pageOf(route) ? pathnameOf(route) : pathname;
}

const positions = new Map<string, number>();

function rememberScroll() {
  positions.set(current.location.key, window.scrollY);
}

function Root({ first }: { first: Arrival }) {
  const [arrival, setArrival] = useState(first);
  useLayoutEffect(() => {
    show = setArrival;
    // Pages are prerendered without a query and a hash, and the not-found page without its path. Now they may have them.
    const { state = null, key = first.location.key } = history.state ?? {};
    const location = locationOf(new URL(window.location.href), { state, key });
    if (location.search || location.hash || location.pathname !== first.location.pathname || key !== first.location.key) {
      setArrival({ ...first, location });
    }
  }, []);
  useLayoutEffect(() => {
    const isSamePage = current.Page === arrival.Page;
    current = arrival;
    if (arrival.scroll === "none") return;
    document.title = arrival.title;
    scrollOnArrival(arrival.location.hash, arrival.scroll === "back" ? positions.get(arrival.location.key) ?? 0 : undefined);
    if (isSamePage) return;
    restoreFocus();
    announce(arrival.title);
  }, [arrival]);
  return <Portal view={arrival} navigator={navigator} isStatic={false} />;
}

async function start() {
  const root = document.getElementById("root")!;
  const route = routeOf(window.location.pathname);
  const { Page } = await load(route);
  const location = plainLocation(pathnameOf(pageOf(route) ? route : notFoundPath));
  current = { Page, location, action: "POP" as NavigationType, title: document.title, scroll: "none" };
  hydrateRoot(root, <Root first={current} />, {
    onRecoverableError: (error) => console.error(`portalgen: ${route} was prerendered differently`, error),
  });
  // While pages come without a reload, the browser does not know when a page is there to be scrolled.
  history.scrollRestoration = "manual";
  window.addEventListener("pagehide", () => (history.scrollRestoration = "auto"));
  window.addEventListener("pageshow", () => (history.scrollRestoration = "manual"));
  window.addEventListener("popstate", () => void follow());
}

// A page whose code cannot be loaded stays readable, and its links work as plain links.
void start();
