// Entry of the program that the build runs to render pages to HTML.
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
  const location = plainLocation(pathnameOf(pageOf(route) ? route : notFoundPath));
  const view = { Page, location, action: "POP" as NavigationType };
  let failure: { error: unknown } | undefined;
  const { prelude, postponed } = await prerender(<Portal view={view} navigator={navigator} isStatic />, {
    // Otherwise large Suspense boundaries are moved to the end and put in place by inline scripts.
    progressiveChunkSize: Infinity,
    signal: stalled,
    // React would print the nearest fallback and go on.
    onError: (error) => void (failure ??= { error }),
  });
  if (failure) throw failure.error;
  if (postponed) throw new Error("A part of the page was still waiting when the rest was done.");
  return read(prelude);
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
