// Entry of the browser's code: hydrates the page that is there, then moves between pages without reloading.
import { useLayoutEffect, useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { type Location, type NavigationType, type Navigator, type To } from "react-router";
import { announce, restoreFocus, scrollOnArrival } from "portalgen:arrival";
import { carry } from "portalgen:carry";
import { currentEntry, type Entry, firstEntry, isOurs, newEntry } from "portalgen:entries";
import { load, type Loaded } from "portalgen:load";
import { createHref, notFoundPath, pathnameOf, redirectOf, routeOf, shownAt } from "portalgen:paths";
import { plainLocation, Portal, type View } from "portalgen:portal";
import { positionOf, rememberPosition, storePositions } from "portalgen:positions";
import { isMissingCode, reloadOnce } from "portalgen:recover";

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
/** Whether the browser was sent to another document. It may be on its way for long. */
let isLeaving = false;

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
  if (target !== undefined) return leaveFor(carry(target, url.search, url.hash), action);
  const loaded = await arrive(url, action);
  if (!loaded) return;
  const entry = newEntry(state);
  scrollOurselves();
  history[action === "REPLACE" ? "replaceState" : "pushState"](entry, "", url.href);
  show({ ...loaded, location: locationOf(url, entry), action, scroll: "start" });
}

/** The browser has moved along its history; the page follows. */
async function follow() {
  scrollOurselves();
  const url = new URL(window.location.href);
  const action = "POP" as NavigationType;
  // What is not ours was made by a link to a place on the same page, and the browser scrolls there.
  const scroll = isOurs() ? "back" : "none";
  const location = locationOf(url, currentEntry(newEntry(null)));
  if (shownAt(url.pathname) === current.route) {
    latest++;
    show({ ...current, location, action, scroll });
    return;
  }
  const loaded = await arrive(url, action);
  if (loaded) show({ ...loaded, location, action, scroll });
}

/** Where pages come without a load, the browser does not know when one is there to be scrolled. Entries keep this. */
function scrollOurselves() {
  history.scrollRestoration = "manual";
}

/** Loads what `url` shows. `undefined` when a later navigation has overtaken this one, or the page is left. */
async function arrive(url: URL, action: NavigationType): Promise<Loaded | undefined> {
  const navigation = ++latest;
  if (isLeaving) window.stop();
  isLeaving = false;
  try {
    const loaded = await load(shownAt(url.pathname));
    return navigation === latest ? loaded : undefined;
  } catch {
    // The files of this deployment are gone, or the network is: the server knows what is there now.
    if (navigation === latest) leaveFor(url.href, action);
    return undefined;
  }
}

/** Has the browser load `address`. Pages that are still being loaded do not arrive any more. */
function leaveFor(address: string, action: NavigationType) {
  latest++;
  isLeaving = true;
  if (action === "PUSH") window.location.assign(address);
  else if (action === "REPLACE") window.location.replace(address);
  // The browser is at this address already, and replacing it by itself would only scroll to its hash.
  else window.location.reload();
}

function locationOf(url: URL, { state, key }: Entry): Location {
  const { search, hash } = url;
  return { pathname: pathnameSeen(url), search, hash, state, key };
}

/** Where the browser is when it has loaded the portal. */
function firstLocation(): Location {
  return locationOf(new URL(window.location.href), currentEntry(firstEntry));
}

/** Components see a route's path in one form, whichever form the visitor typed. */
function pathnameSeen({ pathname }: URL): string {
  const route = shownAt(pathname);
  return route ? pathnameOf(route) : pathname;
}

/** The link by which browsers name the page when a visitor shares it; the not-found page has none. */
const canonical = document.head.querySelector<HTMLLinkElement>("link[rel=canonical]");
const origin = canonical?.href;

/** Lets a page be known by its own address, and not by that of the one that the visitor came in by. */
function nameByAddress(route: string) {
  if (!canonical || !origin) return;
  if (route) canonical.href = new URL(createHref(pathnameOf(route)), origin).href;
  else canonical.removeAttribute("href");
}

function Root({ first }: { first: Arrival }) {
  const [arrival, setArrival] = useState(first);
  useLayoutEffect(() => {
    show = setArrival;
    // Pages are prerendered without a query and a hash, and the not-found page without its path.
    const location = firstLocation();
    const { pathname, search, hash, key } = location;
    if (search || hash || pathname !== first.location.pathname || key !== firstEntry.key) {
      setArrival({ ...first, location });
    }
  }, []);
  useLayoutEffect(() => {
    const isSamePage = current.route === arrival.route;
    current = arrival;
    const { hash, key } = arrival.location;
    if (arrival.scroll === "none") return;
    document.title = arrival.title;
    nameByAddress(arrival.route);
    scrollOnArrival(hash, arrival.scroll === "back" ? positionOf(key) : undefined);
    if (isSamePage) return;
    restoreFocus();
    announce(arrival.title);
  }, [arrival]);
  return <Portal view={arrival} navigator={navigator} isStatic={false} />;
}

async function start() {
  const root = document.getElementById("root")!;
  const loaded = await load(shownAt(window.location.pathname));
  const location = plainLocation(pathnameOf(loaded.route || notFoundPath));
  const first: Arrival = { ...loaded, location, action: "POP" as NavigationType, scroll: "none" };
  // React takes its time; what happens until then belongs to the entry that the browser is at.
  current = { ...first, location: firstLocation() };
  hydrateRoot(root, <Root first={first} />, {
    onUncaughtError: (error) => {
      reportError(error);
      // React has taken the page away, and what it lacks is there again in the document.
      if (isMissingCode(error)) void reloadOnce();
    },
    onRecoverableError: (error) => console.error(`portalgen: ${location.pathname} was prerendered differently`, error),
  });
  restorePosition(current.location.key);
  listen();
}

/** Browsers do it for the entry that the visitor left the portal from; for others they were told not to. */
function restorePosition(key: string) {
  if (history.scrollRestoration === "manual") scrollOnArrival("", positionOf(key));
  rememberPosition(key);
}

function listen() {
  window.addEventListener("popstate", () => void follow());
  // An entry's position cannot be asked for once the browser has left it.
  window.addEventListener("scroll", () => rememberPosition(current.location.key), { passive: true });
  window.addEventListener("pagehide", () => {
    // A document that is loaded anew is scrolled by the browser, which knows best when that can be done.
    history.scrollRestoration = "auto";
    storePositions();
  });
}

// A page whose code cannot be loaded stays readable, and its links work as plain links. It may be an old one, which some
// cache still had.
start().catch((error) => {
  if (isMissingCode(error)) void reloadOnce();
  throw error;
});
