// Loads what a page needs before it can show: its code and styles, and the small file that says what it is called.
import type { ComponentType } from "react";
import { dataOf, notFoundPage, pageOf } from "portalgen:paths";
import { twice } from "portalgen:helpers";

/** A page, ready to show. */
export interface Loaded {
  /** Its route; empty for the not-found page. */
  route: string;
  Page: ComponentType;
  title: string;
}

/** Data that the build writes beside each page. Titles stay out of the code, so that editing one changes no script. */
interface PageData {
  title: string;
}

const loading = new Map<string, Promise<Loaded>>();

/** Loads the page of `route`, or the not-found page if that is empty. A failed attempt is not remembered. */
export function load(route: string): Promise<Loaded> {
  let promise = loading.get(route);
  if (!promise) {
    promise = loadAfresh(route);
    loading.set(route, promise);
    promise.catch(() => loading.delete(route));
  }
  return promise;
}

async function loadAfresh(route: string): Promise<Loaded> {
  const page = pageOf(route) ?? notFoundPage;
  const [{ default: Page }, { title }] = await Promise.all([page(), twice(() => loadData(route))]);
  return { route, Page, title };
}

let isFirst = true;

async function loadData(route: string): Promise<PageData> {
  // The page that the visitor came in by says its title itself.
  if (isFirst) {
    isFirst = false;
    return { title: document.title };
  }
  const file = dataOf(route);
  const response = await fetch(file);
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  return response.json();
}
