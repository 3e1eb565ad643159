// What the build provides to these files.

/** The module that is written for each portal. */
declare module "portalgen:site" {
  import type { ComponentType, ReactNode } from "react";

  export const Layout: ComponentType<{ children: ReactNode }>;
  /** Paths of pages that read like those of files, and the reverse. */
  export const exceptions: Set<string>;
  /** Whether addresses of pages end in a slash. */
  export const slash: "always" | "never";
  /** Whether the router is of a version whose links `links.ts` knows. */
  export const hasKnownLinks: boolean;
}

/** What leads to `error.tsx` of the site, if there is one. */
declare module "portalgen:error-hooks" {
  import type { ErrorHooks } from "portalgen:failure";

  export function importHooks(): Promise<ErrorHooks>;
}

/** What emitted code shares with the runtime. */
declare module "portalgen:helpers" {
  export function twice<T>(attempt: () => Promise<T>): Promise<T>;
  export function isLeaving(): boolean;
  export function withStyles<T>(wanted: Record<string, number>, loading: Promise<T>, hashes?: Record<string, string>): Promise<T>;
}

interface ImportMeta {
  /** What replaces modules while a page shows; only where a development server does. */
  readonly hot?: { on(event: string, listener: (payload: unknown) => void): void };
  readonly env: {
    /** The folder that the portal is served from, with a slash at both ends. */
    readonly BASE_URL: string;
    /** Whether this is no build for development. */
    readonly PROD: boolean;
    /** Whether browsers check scripts and style sheets by their hashes. */
    readonly INTEGRITY: boolean;
  };
}
