import type { ReactNode } from "react";
import { Text } from "./Text";
import "./Sheet.css";

/** A framed example with its caption. */
export function Sheet({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <figure className="sheet">
      <div className="sheet-body">{children}</div>
      <figcaption>
        <Text>{caption}</Text>
      </figcaption>
    </figure>
  );
}
