// What React's development build says about differences between what was prerendered and what it renders.
import type { Difference } from "./protocol";

const about = /[Hh]ydrat|server rendered HTML/;

/** The difference that a message of React's tells, if it tells one. React 19 draws the tree, React 18 names both texts. */
export function differenceIn(message: string): Difference | undefined {
  if (!about.test(message) && !/did not match\. Server:/.test(message)) return undefined;
  return drawn(message) ?? named(message);
}

/** The tree follows a link to React's documentation; `+` and `-` stand at the very start of lines. */
function drawn(message: string): Difference | undefined {
  const [, tree = ""] = /react\.dev\/link\/hydration-mismatch\s*?\n([^]*)/.exec(message) ?? [];
  const lines = tree.replace(/^\n+|\s+$/g, "").split("\n");
  const first = lines.findIndex(isChanged);
  if (first < 0) return undefined;
  // Content of an element whose attributes differ follows with signs as well, be it the same or not.
  const end = lines.findIndex((line, index) => index > first && !isChanged(line));
  const changed = lines.slice(first, end < 0 ? undefined : end);
  const side = (sign: string) => changed.filter((line) => line.startsWith(sign)).map((line) => line.slice(1).trim()).join("\n");
  return { component: componentAt(lines, first), server: side("-"), client: side("+"), tree: lines.join("\n") };
}

function isChanged(line: string): boolean {
  return /^[+-]/.test(line);
}

/** The nearest component above a line of the tree that is around it: one that is less indented. */
function componentAt(lines: string[], index: number): string {
  let depth = depthOf(lines[index] ?? "");
  for (const line of lines.slice(0, index).reverse()) {
    if (depthOf(line) >= depth) continue;
    depth = depthOf(line);
    const [, name] = /<([A-Z][\w.$]*)/.exec(line) ?? [];
    if (name) return name;
  }
  return "";
}

function depthOf(line: string): number {
  return /^[+-]?\s*/.exec(line)?.[0].length ?? 0;
}

function named(message: string): Difference | undefined {
  const match = /Server: "([^]*?)" Client: "([^]*?)"([^]*)/.exec(message);
  if (!match) return undefined;
  const [, server = "", client = "", rest = ""] = match;
  const [, component = ""] = /\bat ([A-Z][\w.$]*)/.exec(rest) ?? [];
  return { component, server, client, tree: "" };
}

/** The message without the general advice and the drawing that React appends to it. */
export function briefly(message: string): string {
  return message.split(/\s*(?:This can happen if a SSR-ed|This won't be patched up|https:\/\/react\.dev\/link|\n\n)/)[0] ?? message;
}

/**
 * Tells React's messages about attributes that differ. They are no errors, so the console is the only place where React says
 * so. All others pass untouched.
 */
export function watchConsole(tell: (message: string) => void) {
  const { error } = console;
  console.error = function (this: unknown, ...values: unknown[]) {
    error.apply(this, values);
    if (typeof values[0] === "string" && isOfAttributes(values[0])) tell(formatted(values));
  };
}

function isOfAttributes(format: string): boolean {
  return /^A tree hydrated but some attributes|did not match\. Server: "?%s"? Client: "?%s"?/.test(format);
}

/** What the console shows for a format and its values. React formats with `%s` alone. */
function formatted([format, ...values]: unknown[]): string {
  return String(format).replace(/%s/g, () => String(values.shift() ?? ""));
}
