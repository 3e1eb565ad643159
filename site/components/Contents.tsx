import type { ReactNode } from "react";
import { useCurrentSection } from "./useCurrentSection";
import styles from "./Contents.module.css";

type Entries = readonly { id: string; title: string }[];

/** What a page says, with its table of contents beside it. */
export function WithContents({ entries, children }: { entries: Entries; children: ReactNode }) {
  return (
    <div className={`wrap ${styles.beside}`}>
      <Contents entries={entries} />
      {children}
    </div>
  );
}

/** The table of contents of a page. It marks the section that is being read. */
function Contents({ entries }: { entries: Entries }) {
  const current = useCurrentSection(entries);
  return (
    <nav className={styles.contents} aria-labelledby="contents-title">
      <p className={styles.title} id="contents-title">
        本页目录
      </p>
      <ol>
        {entries.map(({ id, title }) => (
          <li key={id}>
            <a className={styles.link} href={`#${id}`} aria-current={id === current ? "location" : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
