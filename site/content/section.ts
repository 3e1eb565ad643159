import type { ReactNode } from "react";

/** A titled part of a document, reachable as `#id`. Ids are unique within their page. */
export interface Section {
  id: string;
  title: string;
  body: ReactNode;
}
