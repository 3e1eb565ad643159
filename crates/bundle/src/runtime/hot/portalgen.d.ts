// What the bundler provides to these files.

/** What emitted code shares with the registry: `helpers.js`. */
declare module "portalgen:helpers" {
  type Namespace = Record<string, unknown>;

  export function addressOf(path: string): URL;
  export function exportedNames(exports: unknown): string[];
  export function interopDefault(exports: unknown): unknown;
  export function interopNamespace(exports: unknown, node?: boolean): Namespace;
  export function missing(specifier: string): never;
  export function toCommonJS(namespace: Namespace): Namespace;
  export function unknownRequire(specifier: string): never;
  export function withStyles<T>(wanted: Record<string, number>, loading: Promise<T>): Promise<T>;
}

interface ImportMeta {
  readonly url: string;
  readonly env: {
    /** The folder that the portal is served from, with a slash at both ends. */
    readonly BASE_URL: string;
  };
}
