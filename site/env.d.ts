// What the bundler makes of imports that are not code.

/** Of CSS modules, `portalgen build` writes the class names to `.portalgen/types`, which counts more than this. */
declare module "*.css";

declare module "*?raw" {
  /** The text of the file. */
  const text: string;
  export default text;
}

declare module "*?url" {
  /** URL of the content-hashed file. */
  const url: string;
  export default url;
}

declare module "*?inline" {
  /** A `data:` URL; of a style sheet, its rules. */
  const content: string;
  export default content;
}

declare module "portalgen:client-only" {
  import type { ComponentType, ReactNode } from "react";
  /** A component that is loaded in the browser only; until then, and in the prerendered page, the fallback shows. */
  export function clientOnly<Props extends object>(
    load: () => Promise<{ default: ComponentType<Props> }>,
    fallback?: ReactNode,
  ): ComponentType<Props>;
}

/**
 * What `routes.toml` says about the portal; texts that it does not give are empty. Titles are not among it, so that editing
 * them changes no script.
 */
declare module "portalgen:portal" {
  /** The values of `{product}` and `{host}`. */
  export const product: string;
  export const host: string;
  /** Scheme and host of the portal itself. */
  export const origin: string;
  /** The folder of the origin, with a slash at both ends. */
  export const base: string;
  export const lang: string;
  export interface Route {
    path: string;
    lang: string;
    name?: string;
    /** Where the address leads, if it has no page. */
    redirect?: string;
  }
  export const routes: readonly Route[];
}

/** Types for `error.tsx`, which decides what happens when something throws in the browser. */
declare module "portalgen:error" {
  /** What `onError(error, report)` is told. */
  export interface ErrorReport {
    /**
     * `uncaught`: a component threw, and what it showed before stays. `caught`: an error boundary of the site has caught the
     * error, or a page threw while it was left. `hydration`: the page differed from what was prerendered, and was rendered anew. `load`: the code of a page could
     * not be loaded or run.
     */
    kind: "uncaught" | "caught" | "hydration" | "load";
    /** The path that the browser is at. */
    path: string;
    /** The components around the one that threw. */
    componentStack?: string | null | undefined;
  }
  /** What the notice, the default export, gets. */
  export interface NoticeProps {
    error: unknown;
    /** Loads the page anew. */
    reload: () => void;
    /** Takes the notice away. */
    close: () => void;
  }
}

declare module "*.svg" {
  /** URL of the content-hashed file. */
  const url: string;
  export default url;
}

declare module "*.png" {
  /** URL of the content-hashed file. */
  const url: string;
  export default url;
}

interface GlobOptions {
  /** An export to take of each file; `*` for all of them. */
  import?: string;
  /** `?raw`, `?url` or `?inline`. */
  query?: string | Record<string, string | number | boolean>;
  /** The folder that patterns and keys begin at. */
  base?: string;
  /** Look into `node_modules` and names with a leading dot. */
  exhaustive?: boolean;
}

interface ImportMeta {
  /** The files that patterns match when the portal is built, by their paths. */
  glob<T = unknown>(patterns: string | string[], options: GlobOptions & { eager: true }): Record<string, T>;
  glob<T = unknown>(patterns: string | string[], options?: GlobOptions & { eager?: false }): Record<string, () => Promise<T>>;
}
