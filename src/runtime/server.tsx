// Entry of the program that the build runs to render pages to HTML.
import type { ErrorInfo, ReactNode } from "react";
import { type NavigationType, type Navigator } from "react-router";
import { prerender } from "react-dom/static";
import { createHref, notFoundPage, notFoundPath, pageOf, pathnameOf } from "portalgen:paths";
import { plainLocation, Portal } from "portalgen:portal";

const outside = () => {
  throw new Error("A page cannot navigate while it is prerendered. Navigate in an event handler or an effect.");
};
const navigator: Navigator = { createHref, go: outside, push: outside, replace: outside };

/**
 * Renders the page of a route, or the not-found page for what is none, to the HTML of React's root.
 *
 * `stalled` is aborted when a part of the page waits for what can never come; React then names that part.
 */
export async function render(route: string, stalled: AbortSignal): Promise<string> {
  const { default: Page } = await (pageOf(route) ?? notFoundPage)();
  checkComponent(Page);
  const location = plainLocation(pathnameOf(pageOf(route) ? route : notFoundPath));
  const view = { route, Page, location, action: "POP" as NavigationType };
  const portal = <Portal view={view} navigator={navigator} isStatic />;
  let failure: { error: unknown } | undefined;
  const { prelude, postponed } = await prerender(portal, {
    // Otherwise large Suspense boundaries are moved to the end and put in place by inline scripts.
    progressiveChunkSize: Infinity,
    signal: stalled,
    // React would print the nearest fallback and go on.
    onError: (error) => void (failure ??= { error }),
  });
  if (stalled.aborted || postponed) return blame(portal, stalled);
  if (failure) throw failure.error;
  return read(prelude);
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

/** Throws an error that names the component which waits. `prerender` cannot; a render for a stream can. */
async function blame(portal: ReactNode, stalled: AbortSignal): Promise<never> {
  const { renderToReadableStream } = await import("react-dom/server");
  return new Promise((_, reject) => {
    const abort = new AbortController();
    const onError = (error: unknown, { componentStack }: ErrorInfo) =>
      reject(Object.assign(error as Error, { stack: componentStack }));
    void renderToReadableStream(portal, { onError, signal: abort.signal });
    setTimeout(() => abort.abort(stalled.reason), 1);
  });
}

async function read(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let html = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return html + decoder.decode();
    html += decoder.decode(value, { stream: true });
  }
}
