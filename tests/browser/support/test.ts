// The `test` of every spec: a portal that was built for it and is served, and a page that must have nothing to say.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, expect, type Locator, type Page, test as base } from "@playwright/test";
import { chatSite, Host, staticFiles } from "./host.ts";
import { build, copyPortal, copyRepository, headersOf, makePortal, root, setSlash } from "./portalgen.ts";

export { expect };

/** How the portal is built and served. */
export interface Variant {
  mode: "production" | "development";
  /** Folder of the host that the portal is served from, with a slash at both ends. */
  base: string;
  /** What the host sends with each answer: these, or what the build asks for, the content security policy among them. */
  headers?: "own" | Record<string, string>;
  /** Whether addresses of pages end in a slash, if not as `routes.toml` has it. */
  slash?: "never";
}

/** A portal that is being served. */
export interface Portal {
  host: Host;
  /** Where sign-in and sign-up live. */
  chat: Host;
  /** The folder of its sources. */
  project: string;
  /** The folder that is served. */
  folder: string;
  /**
   * The URL of a path of the portal, in the form in which it is served. Nothing stands for the portal's folder without its
   * slash.
   */
  url: (path: string) => string;
  /** Every form in which a visitor may type the address of a page, with what may be behind it. */
  forms: (path: string, behind?: string) => string[];
  /** Builds and serves the portal anew, from another build if options are given. */
  rebuild: (...options: string[]) => Promise<void>;
}

export type NewPortal = "en" | "zh";

interface WorkerFixtures {
  variant: Variant;
  /** Name of the portal in `portals/`; the repository's own if there is none. */
  portalName: string | undefined;
  /** Language of a portal that `portalgen init` makes, to be used in place of those. */
  newPortal: NewPortal | undefined;
  servedPortal: Portal;
}

interface Fixtures {
  portal: Portal;
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
      const workspace = await mkdtemp(join(tmpdir(), "portal-"));
      const project = portalName || newPortal || variant.slash ? join(workspace, "my-portal") : root;
      if (portalName) await copyPortal(portalName, project);
      if (newPortal) await makePortal(project, newPortal);
      if (variant.slash) {
        if (!portalName) await copyRepository(project);
        await setSlash(project, variant.slash);
      }
      const folder = join(workspace, "dist");
      const chat = await Host.start(chatSite);
      const host = await Host.start(staticFiles(folder, variant.base, variant.slash));
      const rebuild = async (...options: string[]) => {
        const settings = ["--host", chat.origin, "--origin", host.origin, "--base", variant.base];
        await build(project, folder, [...settings, "--mode", variant.mode, ...options]);
        if (variant.headers) host.send(variant.headers === "own" ? await headersOf(folder) : variant.headers);
      };
      await rebuild();
      const inside = (path: string) => (path ? variant.base + path.replace(/^\//, "") : variant.base.slice(0, -1));
      const typed = (path: string) => host.origin + inside(path);
      const served = (path: string) => (variant.slash ? path.replace(/^(\/.+?)\/(?=[?#]|$)/, "$1") : path);
      const forms = (path: string, behind = "") => {
        const bare = path.replace(/\/$/, "");
        if (!variant.slash) return [path, bare, `${path}index.html`].map((form) => typed(form + behind));
        const other = bare ? [bare, path, `${bare}.html`] : [path, bare, "/index.html"];
        return other.map((form) => typed(form + behind));
      };
      await use({ host, chat, project, folder, url: (path) => typed(served(path)), forms, rebuild });
      await Promise.all([host.stop(), chat.stop()]);
      await rm(workspace, { recursive: true });
    },
    // Of its own: a large portal takes most of a test's to build.
    { scope: "worker", timeout: 180_000 },
  ],

  portal: async ({ servedPortal }, use) => {
    servedPortal.host.reset();
    servedPortal.chat.reset();
    await use(servedPortal);
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
