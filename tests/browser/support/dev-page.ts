// What tests look at in pages of `portalgen dev`.
import { expect, type Locator, type Page } from "@playwright/test";
import type { DevServer } from "./dev-server.ts";
import type { Difference, Problem, ServerMessage, Update } from "../../../crates/dev/src/client/protocol.ts";

declare global {
  interface Window {
    hot: { updates: Update[]; running: number; most: number; outcomes: { kind: string; reason?: string; error?: string }[]; pause: number };
  }
}

/** An update of nothing but what is given. */
export function update(generation: number, changes: Partial<Update> = {}): Update {
  return { type: "update", generation, definitions: "", changed: [], removed: [], styles: {}, roots: {}, ...changes };
}

/** Opens a page and waits until it has said hello. */
export async function open(page: Page, dev: DevServer, path = "/") {
  const before = dev.of("hello").length;
  await page.goto(dev.origin + path);
  await expect.poll(() => dev.of("hello").length).toBeGreaterThan(before);
}

export function overlay(page: Page): Locator {
  return page.locator("portalgen-overlay");
}

export function dialog(page: Page): Locator {
  return overlay(page).locator("dialog");
}

export function badge(page: Page): Locator {
  return overlay(page).locator("button.pill");
}

export function away(page: Page): Locator {
  return overlay(page).locator(".away");
}

/** Updates that the registry was given. */
export function applied(page: Page): Promise<Update[]> {
  return page.evaluate(() => window.hot.updates);
}

/** What the element that has the focus says, whatever shadow root it is in. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active?.getAttribute("aria-label") ?? active?.textContent ?? "";
  });
}

/** Leaves a mark on the document, which a reload takes away. */
export async function mark(page: Page) {
  await page.evaluate(() => Object.assign(window, { isMarked: true }));
}

export function isMarked(page: Page): Promise<boolean> {
  return page.evaluate(() => "isMarked" in window);
}

export function buildProblems(...problems: Problem[]): ServerMessage {
  return { type: "problems", of: "build", problems };
}

/** A problem of a build, with all that one can have. */
export const syntaxError: Problem = {
  id: "b1",
  severity: "error",
  message: "`<Table>` is opened here and never closed",
  place: { file: "site/pages/about.tsx", line: 12, column: 7 },
  excerpt: {
    line: 10,
    lines: [
      "  return (",
      "    <main>",
      "      <Table rows={rows} caption=\"一张表\" onSelect={(row) => setSelected(row.id)} className={styles.table}>",
      "    </main>",
      "  );",
    ],
    from: { line: 12, column: 7 },
    to: { line: 12, column: 13 },
  },
  hints: ["write `</Table>` before `</main>`", "or close it at once: `<Table … />`"],
  related: [{ message: "`</main>` closes this", place: { file: "site/pages/about.tsx", line: 11, column: 5, id: "b1-related" } }],
};

export const unresolved: Problem = {
  id: "b2",
  severity: "error",
  message: "cannot find `./Chart` from `site/components/Dashboard.tsx`",
  place: { file: "site/components/Dashboard.tsx", line: 3, column: 23 },
  excerpt: {
    line: 3,
    lines: ["import { Chart } from \"./Chart\";"],
    from: { line: 3, column: 23 },
    to: { line: 3, column: 32 },
  },
  hints: ["did you mean `./Charts`?"],
};

export const unknownKey: Problem = {
  id: "b3",
  severity: "warning",
  message: "`descripton` is not a key of a route",
  place: { file: "routes.toml", line: 14, column: 1 },
  hints: ["write `description`"],
};

/** A problem of a page with a stack. */
export const exception: Problem = {
  id: "r1",
  severity: "error",
  message: "TypeError: Cannot read properties of undefined (reading 'rows')",
  place: { file: "site/components/Table.tsx", line: 8, column: 31 },
  route: "/",
  stack: [
    { name: "Table", place: { file: "site/components/Table.tsx", line: 8, column: 31, id: "f1" } },
    { name: "Object.react_stack_bottom_frame", place: { file: "node_modules/react-dom/cjs/react-dom-client.development.js", line: 23863, column: 20 }, package: "react-dom" },
    { name: "renderWithHooks", place: { file: "node_modules/react-dom/cjs/react-dom-client.development.js", line: 5529, column: 22 }, package: "react-dom" },
    { name: "About", place: { file: "site/pages/about.tsx", line: 14, column: 7, id: "f2" } },
  ],
  causes: [{ message: "RangeError: no data for 2031", stack: [{ name: "rowsOf", place: { file: "site/data.ts", line: 4, column: 9, id: "f3" } }] }],
};

export const clock: Difference = {
  component: "Clock",
  server: "Updated at 08:00:00",
  client: "Updated at 09:41:26",
  tree: "  <About>\n    <Clock>\n      <time>\n+       Updated at 09:41:26\n-       Updated at 08:00:00",
};

export const mismatch: Problem = {
  id: "h1",
  severity: "error",
  message: "The browser rendered something different from the prerendered HTML",
  place: { file: "site/components/Clock.tsx", line: 5, column: 10 },
  difference: clock,
  route: "/",
};
