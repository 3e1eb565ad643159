// What was typed and is not saved.
import type { Key, List, Route, RouteText, Wanted } from "portalgen:panel/protocol";

export interface Draft {
  text: string;
  /** What stood in the file when the editor began to type, or has said to know. */
  base: string | null;
}

/** Drafts of a route. */
export type RouteDrafts = Partial<Record<Key, Draft>>;

/** Drafts by the paths of their routes. */
export type Drafts = Readonly<Record<string, RouteDrafts>>;

/** The texts that a route can have. */
export function keysOf({ kind }: Route): Key[] {
  if (kind === "retired" || kind === "not-found") return [];
  return kind === "redirect" ? ["redirect", "title", "description"] : ["title", "description"];
}

export function textOf(route: Route, key: Key): RouteText | null {
  return route[key];
}

/** What stands in the file. */
export function writtenOf(route: Route, key: Key): string | null {
  return textOf(route, key)?.written ?? null;
}

/** The drafts with another text. One that is what stands in the file is none. */
export function withText(drafts: Drafts, route: Route, key: Key, text: string): Drafts {
  const written = writtenOf(route, key);
  const { [key]: known, ...others } = drafts[route.path] ?? {};
  if (text === (written ?? "")) return withRoute(drafts, route.path, others);
  return withRoute(drafts, route.path, { ...others, [key]: { text, base: known ? known.base : written } });
}

/** The drafts without those of a route. */
export function without(drafts: Drafts, path: string): Drafts {
  return withRoute(drafts, path, {});
}

function withRoute(drafts: Drafts, path: string, ofRoute: RouteDrafts): Drafts {
  const { [path]: _, ...others } = drafts;
  return Object.keys(ofRoute).length > 0 ? { ...others, [path]: ofRoute } : others;
}

/** The drafts that still are some, after the file has changed. */
export function settled(drafts: Drafts, { routes }: List): Drafts {
  const next: Record<string, RouteDrafts> = {};
  for (const [path, ofRoute] of Object.entries(drafts)) {
    const route = routes.find((route) => route.path === path);
    const isDraft = ([key, { text }]: [string, Draft]) => !route || text !== (writtenOf(route, key as Key) ?? "");
    const left = Object.entries(ofRoute).filter(isDraft);
    if (left.length > 0) next[path] = Object.fromEntries(left);
  }
  return next;
}

/** Whether somebody else has changed a text since the editor began to type. */
export function isOvertaken(route: Route, key: Key, draft: Draft | undefined): boolean {
  return draft !== undefined && draft.base !== writtenOf(route, key);
}

/** The drafts of a route as the server is asked about them. */
export function wanted(route: Route, drafts: RouteDrafts): Wanted[] {
  return keysOf(route).flatMap((key) => {
    const draft = drafts[key];
    return draft ? [{ key, text: draft.text, seen: writtenOf(route, key) }] : [];
  });
}
