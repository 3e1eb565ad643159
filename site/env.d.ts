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
