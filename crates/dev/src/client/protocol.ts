// Messages between `portalgen dev` and the pages it serves: JSON texts over one WebSocket. Fields that hold nothing are
// left out.

/** Languages that people are addressed in. */
export type Language = "en" | "zh";

/** What a document says about the server, in `<script type="application/json" id="portalgen-dev">`. */
export interface Settings {
  /** Identity of the server's start. Another one means another process, of which nothing on the page is known. */
  start: string;
  /** The generation of sources that the document was made from. */
  generation: number;
  /** Secret that opens the WebSocket; only own documents have it. */
  token: string;
  /** The folder that the portal is served from, with a slash at both ends. */
  base: string;
  language: Language;
  /** Style sheets of what the document loads: of the entry and of its page, by the names of these roots. */
  roots?: Record<string, Sheet[]>;
  /** False where errors of the running page are not to be reported: `[dev] page-errors = false`. */
  pageErrors?: boolean;
  /** Address of the WebSocket where the page's own address does not lead to it. */
  socket?: string;
}

/** A style sheet among those of a root. A root is the entry, a page or a target of `import()`. */
export interface Sheet {
  /** Opaque; stays the same when the content changes. */
  key: string;
  /** Address of the content as it is now; another one after each change. */
  href: string;
  /** Position in the cascade: sheets stand in the document in ascending order. */
  place: number;
}

// From the server

export type ServerMessage = ServerHello | Update | Title | Reload | Problems | Solved;

/** Comes first on each connection. */
export interface ServerHello {
  type: "hello";
  start: string;
  generation: number;
}

/**
 * The way from the generation that the page has said hello with, or was sent last, to `generation`. A page that says hello
 * with an older one gets everything since.
 */
export interface Update {
  type: "update";
  generation: number;
  /** Script that defines every module that is new or has changed. */
  definitions: string;
  /** Names of modules that have changed. */
  changed: string[];
  /** Names of modules that nothing reaches any more. */
  removed: string[];
  /** Addresses of style sheets whose content has changed, by their keys. */
  styles: Record<string, string>;
  /** All sheets of each root whose list has changed; none for a root that is gone. */
  roots: Record<string, Sheet[]>;
}

/** A title was edited. */
export interface Title {
  type: "title";
  /** The page's route, empty for the not-found page. */
  route: string;
  title: string;
}

/** What has changed shows only after a reload. */
export interface Reload {
  type: "reload";
  reason: string;
}

/**
 * What a problem is about. `build`: nothing was built, so pages show what they were. `render`: a page could not be
 * prerendered. `page`: something has failed in the browser.
 */
export type Origin = "build" | "render" | "page";

/** For `build` and `render`, all problems there are now. For `page`, the answer to an `error`. */
export interface Problems {
  type: "problems";
  of: Origin;
  problems: Problem[];
}

/** No problem of this origin is left; without an origin, neither of the build nor of rendering. */
export interface Solved {
  type: "solved";
  of?: "build" | "render";
}

/** Errors open the overlay, the rest is counted in the badge. */
export type Severity = "error" | "warning" | "note";

export interface Problem {
  /** The same as long as the problem is the same: one that somebody has closed does not open again. */
  id: string;
  severity: Severity;
  /** Text in which backticks enclose code. */
  message: string;
  place?: Place;
  excerpt?: Excerpt;
  /** Advice, most useful first; backticks as in `message`. */
  hints?: string[];
  related?: Related[];
  /** Calls that led to an exception, the innermost first. */
  stack?: Frame[];
  /** Components around what has failed, the innermost first: where each is asked for. */
  components?: Frame[];
  /** What an exception was caused by, the nearest first. */
  causes?: Cause[];
  difference?: Difference;
  /** Route of the page concerned, if it is one page. Problems of pages that do not show open no overlay. */
  route?: string;
}

/** A place in a source file. */
export interface Place {
  /** Path relative to the project, with `/`. */
  file: string;
  /** Counted from 1. */
  line: number;
  /** Counted from 1, in characters. */
  column: number;
  /** What `open` takes for this place. A problem's own place is opened by the problem's `id`. */
  id?: string;
}

/** Lines of a source file around what is marked. */
export interface Excerpt {
  /** Number of the first line. */
  line: number;
  lines: string[];
  from: { line: number; column: number };
  /** End of the mark, exclusive. */
  to: { line: number; column: number };
}

/** A further place that belongs to a problem: `first used here`. */
export interface Related {
  message: string;
  place: Place;
}

/** A call on the stack. */
export interface Frame {
  /** The function, if it has a name. */
  name: string;
  /** Missing where it is not known. */
  place?: Place;
  /** Name of the package that the code belongs to; missing for code of the site. */
  package?: string;
}

export interface Cause {
  message: string;
  stack?: Frame[];
}

/** Difference between what was prerendered and what the browser has rendered. */
export interface Difference {
  /** The component that differs, as far as React tells. */
  component: string;
  /** What was prerendered. */
  server: string;
  /** What the browser rendered. */
  client: string;
  /** React's excerpt of the tree, with `+` before the browser's lines and `-` before prerendered ones. */
  tree: string;
}

// From the page

export type ClientMessage = ClientHello | RouteShown | PageError | Reloading | Open;

/** Answers the server's hello, unless the page reloads. */
export interface ClientHello {
  type: "hello";
  start: string;
  /** The generation that the page is at. */
  generation: number;
  /** Route of the page on the screen, empty for the not-found page. */
  route: string;
  /** Route of the address, at which there may be no page. */
  at: string;
}

/** The visitor has moved on to another page. */
export interface RouteShown {
  type: "route";
  route: string;
  at: string;
}

/**
 * How an error came about. `error` and `rejection`: nobody caught it. `uncaught`, `caught`, `hydration`, `load`: as the
 * runtime reports them. `update`: an update could not be applied.
 */
export type ErrorKind = "error" | "rejection" | "uncaught" | "caught" | "hydration" | "load" | "update";

/** An error of the page. The answer is a `problems` of the origin `page` with one problem, whose `id` is this one's. */
export interface PageError {
  type: "error";
  id: string;
  kind: ErrorKind;
  /** Becomes the problem's severity. */
  severity: Severity;
  message: string;
  /** As the browser writes it, with addresses of scripts. */
  stack: string;
  /** Components around the one that threw, as React writes them. */
  componentStack?: string;
  /** Where these components are asked for, as far as React knows. */
  ownerStack?: string;
  causes: { message: string; stack: string }[];
  difference?: Difference;
  route: string;
  /** The origin of the page, which addresses of scripts begin with. */
  origin: string;
}

/** The page reloads, since an update could not be applied without. */
export interface Reloading {
  type: "reload";
  reason: string;
}

/** Asks for a place to be opened in the editor. */
export interface Open {
  type: "open";
  /** `id` of a problem or of a place that this server has sent. */
  id: string;
}
