import type { ReactNode } from "react";
import type { Section } from "../content/section";
import { WithContents } from "./Contents";
import { PageHeader, type Scene } from "./PageHeader";
import { Prose, Text } from "./Text";
import styles from "./LegalDocument.module.css";

interface LegalDocumentProps {
  scene: Scene;
  title: string;
  version: string;
  /** Since when the document applies. */
  since: string;
  /** What the document comes to, in plain words. */
  summary: ReactNode;
  sections: readonly Section[];
}

/** A numbered, printable document with a table of contents. */
export function LegalDocument({ scene, title, version, since, summary, sections }: LegalDocumentProps) {
  return (
    <article>
      <PageHeader scene={scene} kind="条款" title={title}>
        <p>
          <span className="phrase">{version}</span> · <span className="phrase">{since}</span>
        </p>
      </PageHeader>
      <WithContents entries={sections}>
        <div>
          <Prose className={styles.summary ?? ""}>{summary}</Prose>
          {sections.map((section, index) => (
            <Clause key={section.id} number={index + 1} {...section} />
          ))}
          <p className={styles.note}>
            <Text>蓝屿是为演示而虚构的产品。本文为示例文本，不构成任何真实的承诺或法律意见，请勿直接用于实际业务。</Text>
          </p>
        </div>
      </WithContents>
    </article>
  );
}

function Clause({ number, id, title, body }: Section & { number: number }) {
  return (
    <section className={styles.clause} id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        <span className={styles.number}>{number}</span>
        {title}
      </h2>
      <Prose>{body}</Prose>
    </section>
  );
}
