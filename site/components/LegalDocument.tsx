import type { ReactNode } from "react";
import type { Section } from "../content/section";
import { Contents } from "./Contents";
import { PageHeader } from "./PageHeader";
import "./LegalDocument.css";

interface LegalDocumentProps {
  title: string;
  /** Version and date, as one line. */
  version: string;
  /** What the document comes to, in plain words. */
  summary: ReactNode;
  sections: readonly Section[];
}

/** A numbered, printable document with a table of contents. */
export function LegalDocument({ title, version, summary, sections }: LegalDocumentProps) {
  return (
    <article>
      <PageHeader kind="条款" title={title}>
        <p>{version}</p>
      </PageHeader>
      <div className="wrap with-contents">
        <Contents entries={sections} />
        <div>
          <div className="summary prose">{summary}</div>
          {sections.map((section, index) => (
            <Clause key={section.id} number={index + 1} {...section} />
          ))}
          <p className="sample-note">
            蓝屿是为演示而虚构的产品。本文为示例文本，不构成任何真实的承诺或法律意见，请勿直接用于实际业务。
          </p>
        </div>
      </div>
    </article>
  );
}

function Clause({ number, id, title, body }: Section & { number: number }) {
  return (
    <section className="clause" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        <span className="clause-number">{number}</span>
        {title}
      </h2>
      <div className="prose">{body}</div>
    </section>
  );
}
