// Errors of the running page: found, told to the server, and shown once it has mapped their places.
import { callsIn, cut, describe } from "./describe";
import { briefly, differenceIn, watchConsole } from "./hydration";
import { weigh, type Uncaught } from "./noise";
import type { ErrorKind, Frame, PageError, Problem, Severity } from "./protocol";
import type { Sentences } from "./sentences";

/** What the runtime says about an error that it reports. */
export interface RuntimeReport {
  kind: "uncaught" | "caught" | "hydration" | "load";
  componentStack?: string | null | undefined;
}

/** Components around an error, as React writes them. */
interface Around {
  componentStack?: string | null | undefined;
  /** Where each of them is asked for. */
  ownerStack?: string | null | undefined;
}

export interface Surroundings {
  sentences: Sentences;
  /** The route on the screen. */
  route: () => string;
  /** Sends an error to the server. False if that is away. */
  send: (error: PageError) => boolean;
  /** Whether the document holds what sources were before an edit, and scripts may be newer. */
  isOld: () => boolean;
  /** Loads the document of now. */
  renew: () => void;
  /** Shows an error as it is here, without places in sources. */
  show: (problem: Problem) => void;
}

/** Whether a problem says that an update could not be applied. */
export function isOfUpdate({ id }: Problem): boolean {
  return id.startsWith("update-");
}

/** How long an error may wait for the server to map it, in milliseconds. */
const patience = 1500;

/** How many errors are told before the page is updated. One that throws in each frame has said what it has to say. */
const most = 40;

/** A prefix that no other page has. */
const page = Math.random().toString(36).slice(2);

export class PageErrors {
  /** What was told since errors were last forgotten: by what it says, and the errors themselves. */
  private told = new Set<string>();
  private seen = new WeakSet<object>();
  private count = 0;
  private readonly unanswered = new Map<string, ReturnType<typeof setTimeout>>();
  /** Errors that do not matter any more, whose answers are still to come. */
  private readonly forgotten = new Set<string>();
  /** Errors that came while there was no connection: the first ones of a page may be earlier than that. */
  private unsent: PageError[] = [];

  constructor(private readonly surroundings: Surroundings) {}

  /** Watches for what nobody catches, and for what the runtime and React report. */
  listen() {
    // Of the ten calls that Chromium tells by itself, all may be React's.
    (Error as { stackTraceLimit?: number }).stackTraceLimit = 50;
    addEventListener("error", (event) => {
      const { error, message, filename } = event;
      if (event instanceof ErrorEvent) this.later(event, { isRejection: false, error, message, script: filename });
    });
    addEventListener("unhandledrejection", (event) => {
      this.later(event, { isRejection: true, error: event.reason, message: "", script: "" });
    });
    watchConsole((message) => this.tell(new Error(message), "hydration", "error", { ownerStack: owners() }));
    const report = (error: unknown, { kind, componentStack }: RuntimeReport) => {
      // Whatever the site shows in place of what threw, it shows on purpose.
      this.tell(error, kind, kind === "caught" ? "warning" : "error", { componentStack, ownerStack: owners() });
    };
    (window as unknown as Record<symbol, typeof report>)[Symbol.for("portalgen.report")] = report;
  }

  /** Tells an error. One that was told already, however it came here, is not told again. */
  tell(error: unknown, kind: ErrorKind, severity: Severity, { componentStack, ownerStack }: Around = {}) {
    const described = describe(error, this.surroundings.sentences.unreadable);
    if (this.isTold(error, `${described.message}\n${described.stack}`)) return;
    const difference = kind === "hydration" ? differenceIn(described.message) : undefined;
    this.send({
      type: "error",
      id: `${kind}-${page}-${++this.count}`,
      kind,
      severity,
      ...described,
      message: this.messageOf(error, kind, described.message, difference !== undefined),
      ...(componentStack ? { componentStack: cut(componentStack) } : {}),
      ...(ownerStack ? { ownerStack: cut(ownerStack) } : {}),
      ...(difference ? { difference } : {}),
      route: this.surroundings.route(),
      origin: location.origin,
    });
  }

  /** Whether an error was told already; if not, it counts as told from now on. */
  private isTold(error: unknown, text: string): boolean {
    const isObject = typeof error === "object" && error !== null;
    if (this.told.has(text) || this.told.size >= most || (isObject && this.seen.has(error))) return true;
    this.told.add(text);
    if (isObject) this.seen.add(error);
    return false;
  }

  /** Takes note that the server has answered to an error. Returns whether that still matters. */
  answered({ id }: Problem): boolean {
    clearTimeout(this.unanswered.get(id));
    this.unanswered.delete(id);
    return !this.forgotten.delete(id);
  }

  /** Sends what could not be sent before: the server is there. */
  flush() {
    const { unsent } = this;
    this.unsent = [];
    for (const error of unsent) this.send(error);
  }

  /** Forgets all errors: the code that threw is another one. */
  forget() {
    this.told = new Set();
    this.seen = new WeakSet();
    for (const [id, timer] of this.unanswered) {
      clearTimeout(timer);
      this.forgotten.add(id);
    }
    this.unanswered.clear();
    this.unsent = [];
  }

  /** Waits for a moment: a page may take care of its errors, and the runtime knows more about some of them. */
  private later(event: Event, uncaught: Omit<Uncaught, "stack">) {
    setTimeout(() => {
      if (event.defaultPrevented) return;
      const { error, isRejection, message } = uncaught;
      const { stack, message: said } = describe(error, "");
      const severity = weigh({ ...uncaught, message: message || said, stack });
      // Where nothing was thrown, the browser's message is all there is.
      const found = error === null || error === undefined ? (isRejection ? error : message) : error;
      if (severity) this.tell(found, isRejection ? "rejection" : "error", severity);
    });
  }

  private messageOf(error: unknown, kind: ErrorKind, message: string, isDifference: boolean): string {
    const { differs, rejectedWithNothing } = this.surroundings.sentences;
    if (isDifference) return differs;
    if (kind === "hydration") return briefly(message);
    return kind === "rejection" && error === undefined ? rejectedWithNothing : message;
  }

  private send(error: PageError) {
    // What differs has been edited while the page was on its way, and nothing is wrong.
    if (error.kind === "hydration" && this.surroundings.isOld()) return this.surroundings.renew();
    if (!this.surroundings.send(error)) this.unsent.push(error);
    if (this.unanswered.has(error.id)) return;
    this.unanswered.set(error.id, setTimeout(() => this.surroundings.show(unmapped(error)), patience));
  }
}

/** Where the components are asked for that React is at work with, while it calls. The runtime has a way to ask it. */
function owners(): string | null | undefined {
  return (window as unknown as Record<symbol, (() => string | null) | undefined>)[Symbol.for("portalgen.owners")]?.();
}

/** An error as the browser tells it. */
function unmapped({ id, severity, message, stack, causes, difference, route }: PageError): Problem {
  return {
    id,
    severity,
    message,
    stack: framesOf(stack),
    causes: causes.map((cause) => ({ message: cause.message, stack: framesOf(cause.stack) })),
    ...(difference ? { difference } : {}),
    route,
  };
}

function framesOf(stack: string): Frame[] {
  return callsIn(stack).map((line) => ({ name: line.trim().replace(/^at /, "") }));
}
