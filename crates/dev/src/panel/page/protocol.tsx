// What the server and the panel tell each other. The other side of it is `listing.rs`, `drafts.rs` and `changing.rs`.

export type Language = "en" | "zh";

/** What the document says about the server. */
export interface Settings {
  base: string;
  token: string;
  language: Language;
}

/** A text of a route. */
export type Key = "title" | "description" | "redirect";

export interface Finding {
  severity: "error" | "warning" | "note";
  rule?: string;
  message: string;
  hints?: string[];
  /** `file:line:column` */
  place?: string;
}

export interface RouteText {
  /** As it stands in the file, with `{product}` not filled in. */
  written: string | null;
  /** As visitors get it. */
  shown: string;
  /** How wide that is, in columns: two for a Chinese character. */
  width: number;
  /** What search results show of it. */
  inResults: string;
  findings: Finding[];
}

/** What is said of a draft. */
export interface Judged extends RouteText {
  /** Whether it cannot be saved. */
  refused: boolean;
}

export interface Route {
  path: string;
  kind: "page" | "redirect" | "retired" | "not-found";
  /** Where it is while `portalgen dev` runs. */
  address: string | null;
  /** Where it will be; without the host, where that is not known. */
  url: string;
  noindex: boolean;
  lang: string;
  file: string | null;
  status: number | null;
  title: RouteText;
  description: RouteText;
  redirect: RouteText | null;
  image: string | null;
  findings: Finding[];
}

export interface Changed {
  path: string;
  key: Key;
  old: string | null;
  new: string | null;
}

export interface Space {
  /** How many columns search results show. */
  inResults: number;
  /** How many are shown anywhere. */
  widest: number;
}

export interface List {
  /** What keeps the file from being read; the routes are those of before then. */
  broken: Finding[];
  general: Finding[];
  routes: Route[];
  /** What would be undone next. */
  undo: Changed[] | null;
  /** What the portal is called. */
  name: string | null;
  rooms: { title: Space; description: Space };
}

/** What a text shall be, and what the editor has seen in its place. */
export interface Wanted {
  key: Key;
  text: string;
  seen: string | null;
}

export interface Judgement {
  refused: Finding[];
  drafts: Judged[];
}

export interface Outcome {
  refused: Finding[];
  changes: Changed[];
  findings: Finding[];
  list: List;
}
