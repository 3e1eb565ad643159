import type { ReactNode } from "react";
import { EntryPoints } from "./EntryPoints";
import "./CallToAction.css";

/** The closing band of a page, with the entry points. */
export function CallToAction({ title, from, children }: { title: ReactNode; from: string; children: ReactNode }) {
  return (
    <section className="call">
      <div className="wrap call-row">
        <div>
          <h2>{title}</h2>
          <p className="call-text">{children}</p>
        </div>
        <EntryPoints from={from} />
      </div>
    </section>
  );
}
