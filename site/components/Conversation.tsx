import type { ReactNode } from "react";
import { Sheet } from "./Sheet";
import { Prose } from "./Text";
import styles from "./Conversation.module.css";

export interface Turn {
  speaker: "你" | "蓝屿";
  text: ReactNode;
}

/** A conversation written beforehand, to show what one looks like. */
export function Conversation({ caption, turns }: { caption: string; turns: readonly Turn[] }) {
  return (
    <Sheet caption={caption}>
      <ol className={styles.conversation}>
        {turns.map(({ speaker, text }, index) => (
          <li className={speaker === "你" ? `${styles.turn} ${styles.user}` : styles.turn} key={index}>
            <p className={styles.speaker}>{speaker}</p>
            <Prose className={styles.text ?? ""}>{text}</Prose>
          </li>
        ))}
      </ol>
    </Sheet>
  );
}

/** The number of a source. The word joiner keeps it on the line of the word that it stands behind. */
export function Cite({ source }: { source: number }) {
  return (
    <sup className={styles.cite}>
      {"\u2060"}
      <span className="visually-hidden">来源 </span>
      {source}
    </sup>
  );
}
