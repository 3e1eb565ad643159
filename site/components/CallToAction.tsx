import type { ReactNode } from "react";
import { EntryPoints } from "./EntryPoints";
import { Text } from "./Text";
import styles from "./CallToAction.module.css";

/** The closing band of a page, with the entry points. */
export function CallToAction({ title, from, children }: { title: ReactNode; from: string; children: string }) {
  return (
    <section className={styles.band}>
      <div className={`wrap ${styles.row}`}>
        <div>
          <h2>{title}</h2>
          <p className={styles.text}>
            <Text>{children}</Text>
          </p>
        </div>
        <EntryPoints from={from} />
      </div>
    </section>
  );
}
