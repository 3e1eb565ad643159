// The `test` of every spec: a portal that was built for it and is served, and a page that must have nothing to say.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, expect, type LaunchOptions, type Locator, type Page, test as base } from "@playwright/test";
import { chatSite, Host, routing, staticFiles } from "./host.ts";
import { headersOf } from "./portalgen.ts";
import { type Built, chatOrigin, copyOf, type NewPortal, portalOrigin, rebuild, sharedPortal } from "./portals.ts";
import type { Variant } from "./portals.ts";

export { expect };

/** A portal that is being served. */
export interface Portal extends Built {
  host: Host;
  /** Where sign-in and sign-up live. */
  chat: Host;
  /**
   * The URL of a path of the portal, in the form in which it is served. Nothing stands for the portal's folder without its
   * slash.
   */
  url: (path: string) => string;
  /** Every form in which a visitor may type the address of a page, with what may be behind it. */
  forms: (path: string, behind?: string) => string[];
}

/** A portal that only one test visits. */
export interface OwnPortal extends Portal {
  /** Builds it anew, as its sources are now. */
  rebuild: (...options: string[]) => Promise<void>;
}

interface WorkerFixtures {
  variant: Variant;
  /** Name of the portal in `portals/`; the repository's own if there is none. */
  portalName: string | undefined;
  /** Language of a portal that `portalgen init` makes, to be used in place of those. */
  newPortal: NewPortal | undefined;
  servedPortal: Portal;
  launchOptions: LaunchOptions;
}

interface Fixtures {
  /** The portal as it was built; other tests visit it as well. */
  portal: Portal;
  /** A copy in the place of that, for a test that changes it. */
  ownPortal: OwnPortal;
  /** Console messages that the test provokes. All others make it fail. */
  expectedMessages: RegExp | undefined;
  context: BrowserContext;
  /** Opens a path of the portal and waits until the page is hydrated. */
  visit: (path: string) => Promise<void>;
}

/** What React's development build says whatever the page does. */
const advertisement = /^info: .*Download the React DevTools/;

export const test = base.extend<Fixtures, WorkerFixtures>({
  variant: [{ mode: "production", base: "/" }, { option: true, scope: "worker" }],
  portalName: [undefined, { option: true, scope: "worker" }],
  newPortal: [undefined, { option: true, scope: "worker" }],
  expectedMessages: [undefined, { option: true }],

  servedPortal: [
    async ({ variant, portalName, newPortal }, use) => {
      const built = await sharedPortal({ portalName, newPortal }, variant);
      const chat = await Host.start(chatSite, chatOrigin);
      const host = await Host.start(chatSite, portalOrigin);
      await serve(built, variant, host);
      await use({ ...built, ...addresses(variant), host, chat });
      await Promise.all([host.stop(), chat.stop()]);
    },
    // Of its own: a large portal takes most of a test's to build, and the other worker waits for it.
    { scope: "worker", timeout: 300_000 },
  ],

  launchOptions: [
    async ({ launchOptions, servedPortal }, use) => {
      const { host, chat } = servedPortal;
      await use({ ...launchOptions, args: [...(launchOptions.args ?? []), routing([host, chat])] });
    },
    { scope: "worker" },
  ],

  portal: async ({ servedPortal }, use) => {
    servedPortal.host.reset();
    servedPortal.chat.reset();
    await use(servedPortal);
  },

  ownPortal: async ({ portal, variant }, use) => {
    const workspace = await mkdtemp(join(tmpdir(), "portal-"));
    const own = await copyOf(portal, workspace);
    await serve(own, variant, portal.host);
    const renew = async (...options: string[]) => {
      await rebuild(own, variant, options);
      await serve(own, variant, portal.host);
    };
    await use({ ...portal, ...own, rebuild: renew });
    await serve(portal, variant, portal.host);
    await rm(workspace, { recursive: true });
  },

  context: async ({ context, expectedMessages }, use) => {
    const messages: string[] = [];
    context.on("console", (message) => messages.push(`${message.type()}: ${message.text()}`));
    context.on("weberror", (error) => messages.push(`uncaught: ${error.error()}`));
    await use(context);
    const isExpected = (message: string) => advertisement.test(message) || expectedMessages?.test(message);
    const unexpected = messages.filter((message) => !isExpected(message));
    expect(unexpected, "what the page wrote to the console").toEqual([]);
  },

  visit: async ({ page, portal }, use) => {
    await use(async (path) => {
      await page.goto(portal.url(path));
      await hydrated(page);
    });
  },
});

/** Has a host serve what was built, with the headers of the variant. */
async function serve({ folder }: Built, { base, slash, headers }: Variant, host: Host) {
  host.serve(staticFiles(folder, base, slash), headers === "own" ? await headersOf(folder) : headers);
}

function addresses({ base, slash }: Variant): Pick<Portal, "url" | "forms"> {
  const inside = (path: string) => (path ? base + path.replace(/^\//, "") : base.slice(0, -1));
  const typed = (path: string) => portalOrigin + inside(path);
  const served = (path: string) => (slash ? path.replace(/^(\/.+?)\/(?=[?#]|$)/, "$1") : path);
  const forms = (path: string, behind = "") => {
    const bare = path.replace(/\/$/, "");
    if (!slash) return [path, bare, `${path}index.html`].map((form) => typed(form + behind));
    const other = bare ? [bare, path, `${bare}.html`] : [path, bare, "/index.html"];
    return other.map((form) => typed(form + behind));
  };
  return { url: (path) => typed(served(path)), forms };
}

/** Waits until React has taken over the page. */
export async function hydrated(page: Page) {
  await page.waitForFunction(() => {
    const last = document.querySelector("#root > :last-child");
    return last && Object.keys(last).some((key) => key.startsWith("__reactProps"));
  });
}

/** Marks the document; a page that still has the mark came without a load. */
export async function mark(page: Page) {
  await page.evaluate(() => document.documentElement.setAttribute("data-marked", ""));
}

export function isMarked(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.hasAttribute("data-marked"));
}

export function scrollY(page: Page): Promise<number> {
  return page.evaluate(() => Math.round(window.scrollY));
}

/** The first link to `path` in the part of the page that `within` selects. */
export function link(page: Page, portal: Portal, path: string, within = "body"): Locator {
  const { pathname, search, hash } = new URL(portal.url(path));
  return page.locator(`${within} a[href="${pathname}${search}${hash}"]`).first();
}

/** Lets everything run that is ready to. */
export async function settled(page: Page) {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
}

/** Chromium's own message about a page or file that is not there. */
export const missingFile = /^error: Failed to load resource: .* 404/;
