// Entry of the browser's code: hydrates the page that is there, then moves between pages without reloading.
import { startTransition, useLayoutEffect, useState } from "react";
import { createRoot, hydrateRoot, type RootOptions } from "react-dom/client";
import { type Location, type NavigationType, type Navigator, type To } from "react-router";
import { announce, restoreFocus, scrollOnArrival } from "portalgen:arrival";
import { Boundary, hadFocus, hasRemains } from "portalgen:boundary";
import { carry } from "portalgen:carry";
import { currentEntry, type Entry, firstEntry, isOurs, newEntry } from "portalgen:entries";
import { loadHooks, notify, report, withdraw } from "portalgen:failure";
import { standInterference } from "portalgen:interference";
import { dataOfDocument, Elsewhere, load, loadFirst, lookUp, type Replaced } from "portalgen:load";
import { createHref, isPage, notFoundPath, pathnameOf, routeOf } from "portalgen:paths";
import { positionOf, rememberPosition, storePositions } from "portalgen:positions";
import { prepareWhatIsPointedAt } from "portalgen:prepare";
import { isFirst, isMissingCode, reloadOnce } from "portalgen:recover";
import { plainLocation, Portal, type View } from "portalgen:tree";

/** A view to be shown, and what is to happen once it is. */
interface Arrival extends View {
  /** The route of the address that it is shown at, which is another one where the server has sent another document. */
  at: string;
  title: string;
  /** Where to scroll: to the top or the hash, back to where the visitor was, or not at all. */
  scroll: "start" | "back" | "none";
}

// Tells the recovery script that the entry has run.
(window as unknown as Record<symbol, boolean>)[Symbol.for("portalgen")] = true;

// `location` is the one that components see.
const { history, location: browserLocation } = window;
/** What shows. */
let current: Arrival;
/** What was asked for last. */
let asked: Arrival;
/** The route whose page was last seen whole. Where another one was asked for, its page has thrown before. */
let seen: string;
/** What was to be shown before React had hydrated the page. */
let missed: Arrival | undefined;
let setArrival: (arrival: Arrival) => void = (arrival) => (missed = arrival);
/** Whether something has thrown. What shows is then a copy without event handlers, so pages are reached by full loads. */
let isBroken = false;
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
  const url = new URL(createHref(to), browserLocation.href);
  await visit(url, action, "start", () => {
    const entry = newEntry(state);
    scrollOurselves();
    history[action === "REPLACE" ? "replaceState" : "pushState"](entry, "", url.href);
    return entry;
  });
}

/** The browser has moved along its history; the page follows. */
async function follow() {
  scrollOurselves();
  const url = new URL(browserLocation.href);
  const action = "POP" as NavigationType;
  // What is not ours was made by a link to a place on the same page, and the browser scrolls there.
  const scroll = isOurs() ? "back" : "none";
  const entry = currentEntry(newEntry(null));
  if (routeOf(url.pathname) !== current.at) return visit(url, action, scroll, () => entry);
  latest++;
  show({ ...current, location: locationOf(url, entry), action, scroll });
}

/** Where pages come without a load, the browser does not know when one is there to be scrolled. Entries keep this. */
function scrollOurselves() {
  history.scrollRestoration = "manual";
}

/**
 * Loads what is at `url` and shows it, unless a later navigation overtakes this one. `enter` makes its entry in the
 * history.
 */
async function visit(url: URL, action: NavigationType, scroll: Arrival["scroll"], enter: () => Entry) {
  if (isBroken) return leaveFor(url.href, action);
  const navigation = ++latest;
  const at = routeOf(url.pathname);
  if (isLeaving) stop();
  isLeaving = false;
  try {
    const found = await Promise.race([load(at), impatience()]);
    if (navigation !== latest) return;
    if ("redirect" in found) return leaveFor(carry(found.redirect, url.search, url.hash), action);
    show({ ...found, at, location: locationOf(url, enter()), action, scroll });
  } catch (error) {
    if (navigation !== latest) return;
    // The files of this deployment are gone, or the network is: the server knows what is there now.
    if (!(error instanceof Elsewhere)) void report(error, "load", undefined, url.pathname);
    leaveFor(url.href, action);
  }
}

/** Rejects when a page takes too long: what the browser loads by itself shows before its scripts have come. */
function impatience(): Promise<never> {
  return new Promise((_, reject) => setTimeout(reject, 10_000, new Error("The page has not come within 10 seconds")));
}

// A development server replaces components that React does not replace by itself.
if (import.meta.hot) {
  import.meta.hot.on("portalgen:page", (change) => {
    const { before, after } = change as Replaced;
    if (after && asked?.Page === before) show({ ...asked, Page: after, scroll: "none" });
  });
  // By then React has rendered again what had thrown.
  import.meta.hot.on("vite:afterUpdate", () => {
    if (!isBroken || hasRemains() || !document.getElementById("root")!.hasChildNodes()) return;
    isBroken = false;
    withdraw();
  });
}

function show(arrival: Arrival) {
  asked = arrival;
  setArrival(arrival);
}

/** Has the browser load `address`. Pages that are still being loaded do not arrive any more. */
function leaveFor(address: string, action: NavigationType) {
  latest++;
  isLeaving = true;
  if (action === "PUSH") browserLocation.assign(address);
  else if (action === "REPLACE") browserLocation.replace(address);
  // The browser is at this address already, and replacing it by itself would only scroll to its hash.
  else browserLocation.reload();
}

function locationOf(url: URL, { state, key }: Entry): Location {
  const { search, hash } = url;
  return { pathname: pathnameSeen(url), search, hash, state, key };
}

/** Where the browser is when it has loaded the portal. */
function firstLocation(): Location {
  return locationOf(new URL(browserLocation.href), currentEntry(firstEntry));
}

/** Components see a route's path in one form, whichever form the visitor typed. */
function pathnameSeen({ pathname }: URL): string {
  const route = routeOf(pathname);
  return isPage(route) ? pathnameOf(route) : pathname;
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

/** How long a part that is being loaded may keep query and hash from the page's components, in milliseconds. */
const patience = 2000;

function Root({ first }: { first: Arrival }) {
  // A development server lets React begin anew once what has thrown is mended.
  const [arrival, set] = useState<Arrival>(import.meta.hot && isBroken ? again() : first);
  useLayoutEffect(() => {
    setArrival = set;
    if (import.meta.hot && isBroken) return;
    // The browser has moved along its history meanwhile.
    if (missed) return set(missed);
    // Pages are prerendered without a query and a hash, and the not-found page without its path.
    const location = firstLocation();
    const { pathname, search, hash, key } = location;
    if (!search && !hash && pathname === first.location.pathname && key === firstEntry.key) return;
    const second = { ...first, location };
    // What is still being loaded to be hydrated would give way to its fallback if this did not wait.
    startTransition(() => set(second));
    setTimeout(() => set((arrival) => (arrival === first ? second : arrival)), patience);
  }, []);
  useLayoutEffect(() => {
    const isSamePage = current.route === arrival.route;
    current = arrival === first ? { ...first, location: firstLocation() } : arrival;
    requestAnimationFrame(() => (seen = arrival.route));
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

/** What was asked for last, to be shown where the browser is by then. */
function again(): Arrival {
  return { ...asked, location: firstLocation(), scroll: "none" };
}

/** Where to go instead, if the server has sent the document of another route than that of the address. */
async function rightAddress(at: string): Promise<string | undefined> {
  const { pathname, search, hash } = browserLocation;
  const route = dataOfDocument()?.route ?? at;
  if (route === at || !isPage(at)) return undefined;
  const address = createHref(pathnameOf(at));
  // The server knows the right form of the address, and has no such page or says that it is another one.
  if (address === pathname) return undefined;
  const found = await lookUp(at).catch(() => undefined);
  if (!found) return undefined;
  return "redirect" in found ? carry(found.redirect, search, hash) : address + search + hash;
}

/** The path that the server sent the document for. */
function pathnameOfDocument(): string {
  const [navigation] = performance.getEntriesByType("navigation");
  try {
    return new URL(navigation!.name).pathname;
  } catch {
    // This browser does not tell.
    return browserLocation.pathname;
  }
}

/**
 * Whether Back or Forward has led to another page since the document came: after a reload they lead to entries of the
 * same document, which follows them only once it has started.
 */
function hasMoved(): boolean {
  const { pathname, href } = browserLocation;
  const isMoved = pathname !== pathnameOfDocument();
  // A reload does not help if something else changes the address each time.
  return isFirst("portalgen:moved", isMoved ? href : "") && isMoved;
}

async function start() {
  const root = document.getElementById("root")!;
  if (hasMoved()) return browserLocation.reload();
  const { pathname } = browserLocation;
  const at = routeOf(pathname);
  const elsewhere = await rightAddress(at);
  if (elsewhere && isFirst("portalgen:replaced", browserLocation.href)) return browserLocation.replace(elsewhere);
  const loaded = await loadFirst(at);
  if (browserLocation.pathname !== pathname) return browserLocation.reload();
  const location = plainLocation(pathnameOf(loaded.route || notFoundPath));
  const first: Arrival = { ...loaded, at, location, action: "POP" as NavigationType, scroll: "none" };
  asked = first;
  seen = loaded.route;
  // React takes its time; what happens until then belongs to the entry that the browser is at.
  current = { ...first, location: firstLocation() };
  standInterference(root);
  const tree = (
    <Boundary isLast>
      <Root first={first} />
    </Boundary>
  );
  const options: RootOptions = {
    onUncaughtError: (error, { componentStack }) => fail(error, componentStack),
    onCaughtError: (error, { componentStack, errorBoundary }) => {
      if (errorBoundary instanceof Boundary) fail(error, componentStack);
      else void report(error, "caught", componentStack);
    },
    onRecoverableError: (error, { componentStack }) => void report(error, "hydration", componentStack),
  };
  // A development server shows pages that could not be prerendered.
  if (import.meta.hot && !root.hasChildNodes()) createRoot(root, options).render(tree);
  else hydrateRoot(root, tree, options);
  restorePosition(current.location.key);
  listen();
  prepareWhatIsPointedAt();
  void loadHooks();
}

/** A component has thrown, and nothing of the site has caught that. */
function fail(error: unknown, componentStack?: string | null) {
  isBroken = true;
  void report(error, "uncaught", componentStack);
  // The document has the page as it was prerendered.
  if (asked.route !== seen) return isLeaving ? undefined : leaveFor(browserLocation.href, "POP" as NavigationType);
  if (hadFocus) restoreFocus();
  void recover(error);
}

/** What is missing may be there in what the server has now. Otherwise the visitor decides. */
async function recover(error: unknown) {
  if (isMissingCode(error) && (await reloadOnce())) return;
  await notify(error);
}

/** Browsers do it for the entry that the visitor left the portal from; for others they were told not to. */
function restorePosition(key: string) {
  if (history.scrollRestoration === "manual") scrollOnArrival("", positionOf(key));
  rememberPosition(key);
}

function listen() {
  addEventListener("popstate", () => void follow());
  // An entry's position cannot be asked for once the browser has left it.
  addEventListener("scroll", () => rememberPosition(current.location.key), { passive: true });
  addEventListener("pagehide", () => {
    // A document that is loaded anew is scrolled by the browser, which knows best when that can be done.
    history.scrollRestoration = "auto";
    storePositions();
  });
}

// A page whose code cannot be loaded stays readable, and its links work as plain links. It may be an old one, which some
// cache still had.
start().catch((error) => {
  void report(error, "load");
  void recover(error);
});
