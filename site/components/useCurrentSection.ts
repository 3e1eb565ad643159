import { useEffect, useState } from "react";

/** The id of the section that is being read. Nothing while the page is prerendered: that is for the visitor to say. */
export function useCurrentSection(entries: readonly { id: string }[]): string | undefined {
  const [current, setCurrent] = useState<string>();

  useEffect(() => {
    const update = () => setCurrent(currentSection(entries.map(({ id }) => id)));
    update();
    window.addEventListener("scroll", update, { passive: true });
    window.addEventListener("resize", update);
    window.addEventListener("hashchange", update);
    return () => {
      window.removeEventListener("scroll", update);
      window.removeEventListener("resize", update);
      window.removeEventListener("hashchange", update);
    };
  }, [entries]);

  return current;
}

/**
 * The last section that begins above the reading line. The last ones of a page may not get there: at its end, it is the one
 * that was asked for if it can be seen, else the last of all.
 */
function currentSection(ids: readonly string[]): string | undefined {
  const { scrollHeight, clientHeight } = document.documentElement;
  const top = (id: string) => document.getElementById(id)?.getBoundingClientRect().top ?? Infinity;
  if (window.scrollY > 0 && window.scrollY + clientHeight >= scrollHeight - 2) {
    return ids.find((id) => `#${id}` === window.location.hash && top(id) >= 0) ?? ids.at(-1);
  }
  const line = readingLine();
  return ids.filter((id) => top(id) <= line).at(-1) ?? ids[0];
}

/** Somewhat below where a section comes to stand that a link leads to, and above where the next one then begins. */
function readingLine(): number {
  return 1.75 * parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
}
