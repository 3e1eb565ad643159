import type { ReactNode } from "react";
import "./PageHeader.css";

/** The head of every page but the home page: what kind of page, its heading, an opening paragraph. */
export function PageHeader({ kind, title, children }: { kind: string; title: ReactNode; children: ReactNode }) {
  return (
    <header className="page-header">
      <div className="wrap page-header-text">
        <p className="eyebrow">{kind}</p>
        <h1>{title}</h1>
        <div className="page-header-lead">{children}</div>
      </div>
    </header>
  );
}
