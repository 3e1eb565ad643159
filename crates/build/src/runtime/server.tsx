// Entry of the program that the build runs to render pages to HTML.
import * as React from "react";
import type { ComponentType, ErrorInfo } from "react";
import * as jsxDevRuntime from "react/jsx-dev-runtime";
import * as jsxRuntime from "react/jsx-runtime";
import { Link, type NavigationType, type Navigator, NavLink } from "react-router";
import { prerender } from "react-dom/static";
import { createHrefLike, linkLike, navLinkLike, type Render } from "portalgen:links";
import { createHref, pathnameOf } from "portalgen:paths";
import { hasKnownLinks } from "portalgen:site";
import { plainLocation, Portal } from "portalgen:tree";

const outside = () => {
  throw new Error("A page cannot navigate while it is prerendered. Navigate in an event handler or an effect.");
};
const navigator: Navigator = { createHref: createHrefLike(createHref), go: outside, push: outside, replace: outside };

/** React's development build says where components were asked for, while it is at work. */
const owners = Reflect.get(React, "captureOwnerStack") as (() => unknown) | undefined;
const engine = Reflect.get(globalThis, Symbol.for("portalgen.around")) as Engine | undefined;
if (owners) engine?.ask(owners);

// Whatever imports the router's links gets them as they are here. In development they also warn, and stacks name them.
if (hasKnownLinks && import.meta.env.PROD) {
  alter(Link, linkLike);
  alter(NavLink, navLinkLike);
}

function alter(component: unknown, change: (original: Render) => Render) {
  const forwarding = component as { render: Render };
  forwarding.render = change(forwarding.render);
}

/**
 * Renders the page of a route, or the not-found page for its path, to a stream of the HTML of React's root. `script` is the
 * script with the page: the program has no list of them, which all pages would have to wait for.
 *
 * `stalled` is aborted when a part of the page waits for what can never come; React then names that part.
 */
export async function render(route: string, script: string, stalled: AbortSignal): Promise<ReadableStream> {
  const { default: Page } = await import(script);
  checkComponent(Page);
  return renderPage(route, Page, stalled);
}

/** Renders the same, with a comment before and behind all HTML that components give as text. */
export async function renderMarked(route: string, script: string, stalled: AbortSignal): Promise<ReadableStream> {
  for (const library of [React, jsxRuntime, jsxDevRuntime]) markInnerHtml(library);
  return render(route, script, stalled);
}

/** Renders what is around a page; `isAsked` says whether the page itself would be rendered. */
export async function renderAround(route: string, stalled: AbortSignal): Promise<{ html: string; isAsked: boolean }> {
  let isAsked = false;
  const Nothing = () => {
    isAsked = true;
    return null;
  };
  const html = await new Response(await renderPage(route, Nothing, stalled)).text();
  return { html, isAsked };
}

async function renderPage(route: string, Page: ComponentType, stalled: AbortSignal): Promise<ReadableStream> {
  const location = plainLocation(pathnameOf(route));
  const view = { route, Page, location, action: "POP" as NavigationType };
  const portal = <Portal view={view} navigator={navigator} isStatic />;
  let failure: { error: unknown } | undefined;
  const { prelude, postponed } = await prerender(portal, {
    // Otherwise large Suspense boundaries are moved to the end and put in place by inline scripts.
    progressiveChunkSize: Infinity,
    signal: stalled,
    // React would print the nearest fallback and go on. The reason of the signal has no stack that says which component waits.
    onError: (error, { componentStack: stack }: ErrorInfo) => {
      if (failure) return;
      failure = { error: stalled.aborted ? Object.assign(error as Error, { stack }) : error };
      engine?.failed(error, owners?.(), stack);
    },
  }).catch((error) => {
    // What React throws in the end may be another error, which it met with the first one.
    throw failure ? failure.error : error;
  });
  if (failure) throw failure.error;
  if (postponed) throw new Error("React has left a part of the page out.");
  return prelude;
}

/** Takes what React knows about components that are at work. */
interface Engine {
  failed(error: unknown, owners: unknown, components: unknown): void;
  ask(owners: () => unknown): void;
}

type Make = (type: unknown, props: Props | null, ...rest: unknown[]) => unknown;
type Props = { dangerouslySetInnerHTML?: { __html?: unknown } };

/** Elements whose content is text to browsers, so that a comment in it is none. */
const withText = ["style", "script", "title", "noscript", "iframe"];

/** Lets the functions of a library that make elements put comments around HTML that these are given as text. */
function markInnerHtml(library: object) {
  // Whatever imports the library calls what stands in its exports.
  const exports = (Reflect.get(library, "default") ?? library) as Record<string, Make | undefined>;
  for (const name of ["jsx", "jsxs", "jsxDEV", "createElement"]) {
    const make = exports[name];
    if (make) exports[name] = (type, props, ...rest) => make(type, marked(type, props), ...rest);
  }
}

function marked(type: unknown, props: Props | null): Props | null {
  const inner = props?.dangerouslySetInnerHTML?.__html;
  if (typeof type !== "string" || withText.includes(type) || inner === undefined || inner === null) return props;
  // A line end right behind `<pre>` is no part of it, wherever comments stand.
  const [start = ""] = /^\n?/.exec(String(inner)) ?? [];
  const __html = `${start}<!--portalgen:given-->${String(inner).slice(start.length)}<!--/portalgen:given-->`;
  return { ...props, dangerouslySetInnerHTML: { __html } };
}

/** React would say the same in its own words, at a line of its own, or in the browser only. */
function checkComponent(Page: unknown) {
  if (typeof Page === "function") {
    if (Page.constructor.name !== "AsyncFunction") return;
    throw new Error("The page is an async component, which browsers cannot hydrate. Await in a child, with use().");
  }
  const isWrapped = typeof Page === "object" && Page !== null && "$$typeof" in Page && !("props" in Page);
  if (!isWrapped) throw new Error("The default export of the page is not a component.");
}
