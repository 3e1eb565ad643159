// Changes something, so it is not loaded with the entry.
Object.assign(globalThis, { shared: true });

/** Is in a chunk of its own, since two pages have it. */
export default function Shared({ children }: { children: string }) {
  return <p id="shared">{children}</p>;
}
