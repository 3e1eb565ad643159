/** Astro has no router in the browser. */
export function Link({ to, children }) {
  return <a href={to}>{children}</a>;
}
