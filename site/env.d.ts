// What the bundler makes of imports that are not code.

declare module "*.css";

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
