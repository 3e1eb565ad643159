// What an error says, whatever was thrown. Getters and proxies may throw in turn.
import type { PageError } from "./protocol";

export type Description = Pick<PageError, "message" | "stack" | "causes">;

/** More causes than these tell nothing new; they may also go round in circles. */
const mostCauses = 8;

/** So many characters of a message are told. */
const longestMessage = 10_000;
/** So many of a stack. The server takes no message of a megabyte. */
const longestStack = 20_000;

/** Describes an error. `unreadable` is said of what throws when it is read. */
export function describe(error: unknown, unreadable: string): Description {
  const messageOf = (value: unknown) => (attempt(() => said(value)) ?? unreadable).slice(0, longestMessage);
  const causes = causesOf(error).map((cause) => ({ message: messageOf(cause), stack: stackOf(cause) }));
  return { message: messageOf(error), stack: stackOf(error), causes };
}

/** As much of a stack as is told. */
export function cut(stack: string): string {
  return stack.slice(0, longestStack);
}

/** The lines of a stack that name calls, the innermost first. Chromium's stacks begin with the message. */
export function callsIn(stack: string): string[] {
  return stack.split("\n").filter((line) => /^\s*at .|^\S*@.+:\d+:\d+$/.test(line));
}

/** `TypeError: x is not a function`; of what is no error, its value. */
function said(error: unknown): string {
  return isError(error) ? `${nameOf(error)}${String(error.message)}` : print(error);
}

function nameOf({ name }: Error): string {
  return name && name !== "Error" ? `${name}: ` : "";
}

/** Errors of other windows are no instances of this one's `Error`. */
function isError(value: unknown): value is Error {
  return value instanceof Error || (typeof value === "object" && value !== null && "message" in value);
}

function print(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "object" && value !== null) return JSON.stringify(value) ?? String(value);
  return String(value);
}

function stackOf(error: unknown): string {
  return attempt(() => (isError(error) && typeof error.stack === "string" ? cut(withoutMessage(error.stack, String(error.message))) : "")) ?? "";
}

/** Chromium repeats the message at the beginning, however long it is. */
function withoutMessage(stack: string, message: string): string {
  const calls = stack.indexOf("\n    at ");
  const start = stack.indexOf(message);
  return calls >= 0 && start >= 0 && start < stack.indexOf("\n") ? stack.slice(start + message.length) : stack;
}

/** Causes and the errors of an `AggregateError`, the nearest first. */
function causesOf(error: unknown): unknown[] {
  const found = new Set<unknown>();
  let next = directCausesOf(error);
  while (next.length && found.size < mostCauses) {
    const fresh = next.filter((cause) => cause !== error && !found.has(cause)).slice(0, mostCauses - found.size);
    for (const cause of fresh) found.add(cause);
    next = fresh.flatMap(directCausesOf);
  }
  return [...found];
}

function directCausesOf(error: unknown): unknown[] {
  const causes = attempt(() => {
    if (typeof error !== "object" || error === null) return [];
    const { cause, errors } = error as { cause?: unknown; errors?: unknown };
    return [...(cause === undefined ? [] : [cause]), ...(Array.isArray(errors) ? errors : [])];
  });
  return causes ?? [];
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
