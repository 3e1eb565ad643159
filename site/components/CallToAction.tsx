import type { ReactNode } from "react";
import { EntryPoints } from "./EntryPoints";
import { Text } from "./Text";
import "./CallToAction.css";

/** The closing band of a page, with the entry points. */
export function CallToAction({ title, from, children }: { title: ReactNode; from: string; children: string }) {
  return (
    <section className="call">
      <div className="wrap call-row">
        <div>
          <h2>{title}</h2>
          <p className="call-text">
            <Text>{children}</Text>
          </p>
        </div>
        <EntryPoints from={from} />
      </div>
    </section>
  );
}
