import type { ReactNode } from "react";
import styles from "./PageHeader.module.css";

/** The drawing of a head, and the sea or paper that it lies on. */
export type Scene = "coast" | "compass" | "lighthouse" | "harbour" | "dividers" | "soundings" | "shoals";

interface PageHeaderProps {
  scene: Scene;
  /** What kind of page it is. */
  kind: string;
  title: ReactNode;
  /** The opening paragraph, and what belongs to it. */
  children: ReactNode;
}

/** The head of every page but the home page. */
export function PageHeader({ scene, kind, title, children }: PageHeaderProps) {
  return (
    <header className={`${styles.header} ${styles[scene]}`}>
      <div className={`wrap ${styles.text}`}>
        <p className="eyebrow">{kind}</p>
        <h1>{title}</h1>
        <div className={styles.lead}>{children}</div>
      </div>
    </header>
  );
}
