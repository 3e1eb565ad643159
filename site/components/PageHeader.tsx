import type { ReactNode } from "react";
import styles from "./PageHeader.module.css";

/** The head of every page but the home page: what kind of page, its heading, an opening paragraph. */
export function PageHeader({ kind, title, children }: { kind: string; title: ReactNode; children: ReactNode }) {
  return (
    <header className={styles.header}>
      <div className={`wrap ${styles.text}`}>
        <p className="eyebrow">{kind}</p>
        <h1>{title}</h1>
        <div className={styles.lead}>{children}</div>
      </div>
    </header>
  );
}
