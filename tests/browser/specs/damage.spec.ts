// Every file of a page, damaged in the ways that hosts and networks know, however the page is reached. What was prerendered
// stays readable, links work, nothing is loaded again and again, and the console says what is wrong.
import { appendFile, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { Browser, Frame, Page, Route } from "@playwright/test";
import { expect, hydrated, link, type Portal, test } from "../support/test.ts";

test.use({ portalName: "failures", variant: { mode: "production", base: "/", headers: "own" } });

/** The files of the page `/whole/`. */
const files = {
  entry: /portal-\w+\.js/,
  packages: /vendor-\w+\.js/,
  script: /whole-\w+\.js/,
  "shared script": /Shared-\w+\.js/,
  "lazy script": /Part-\w+\.js/,
  "style sheet": /whole-\w+\.css/,
  "lazy style sheet": /Part-\w+\.css/,
  title: /whole\/page\.json/,
};
type File = keyof typeof files;

const types: Record<string, string> = { ".css": "text/css", ".js": "text/javascript", ".json": "application/json" };

/** What the host would have sent. */
async function original(route: Route, portal: Portal) {
  const { pathname } = new URL(route.request().url());
  return { contentType: types[extname(pathname)]!, body: await readFile(join(portal.folder, pathname)) };
}

type Damage = (route: Route, portal: Portal) => unknown;

const answer =
  (status: number): Damage =>
  (route) =>
    route.fulfill({ status, contentType: "text/html", body: "<h1>No" });
const abort =
  (error: string): Damage =>
  (route) =>
    route.abort(error);

/** What comes in the place of a file. */
const faults = {
  "404": answer(404),
  "500": answer(500),
  nothing: async (route, portal) => route.fulfill({ ...(await original(route, portal)), body: "" }),
  // As hosts send it that take every address for one of an application.
  "a document": answer(200),
  half: async (route, portal) => {
    const { body, contentType } = await original(route, portal);
    await route.fulfill({ contentType, body: body.subarray(0, body.length / 2) });
  },
  "another type": async (route, portal) =>
    route.fulfill({ ...(await original(route, portal)), contentType: "text/plain" }),
  "a broken connection": abort("connectionreset"),
  "a blocker": abort("blockedbyclient"),
  "no network": abort("internetdisconnected"),
  silence: () => {},
} satisfies Record<string, Damage>;
type Fault = keyof typeof faults;

/** A visit of a portal, of which a file is damaged once `damage` is called, with all that is seen of it. */
interface Visit {
  page: Page;
  portal: Portal;
  fault: Fault;
  damage: () => Promise<void>;
  /** Errors that the page writes to the console. */
  messages: string[];
  /** Documents that it asks for from the damage on. */
  documents: string[];
}

async function withVisit(browser: Browser, portal: Portal, file: File, fault: Fault, use: (visit: Visit) => Promise<void>) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const messages: string[] = [];
  const documents: string[] = [];
  page.on("console", (message) => message.type() === "error" && messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(String(error)));
  const damage = async () => {
    page.on("request", (request) => request.isNavigationRequest() && documents.push(request.url()));
    await page.route(files[file], (route) => faults[fault](route, portal));
  };
  if (fault === "silence") await page.clock.install();
  await use({ page, portal, fault, damage, messages, documents });
  await context.close();
}

/** How a page is reached. */
const ways = {
  "is opened": async ({ page, portal, damage }: Visit) => {
    await damage();
    await page.goto(portal.url("/whole/"), { waitUntil: "commit" });
  },
  "is reloaded": async ({ page, portal, damage }: Visit) => {
    await page.goto(portal.url("/whole/"));
    await hydrated(page);
    await damage();
    await page.reload({ waitUntil: "commit" });
  },
  "is reached by a link": async ({ page, portal, fault, damage }: Visit) => {
    await page.goto(portal.url("/"));
    await hydrated(page);
    await damage();
    await link(page, portal, "/whole/").click({ noWaitAfter: true });
    await outwait(page, fault);
  },
  "is returned to": async ({ page, portal, fault, damage }: Visit) => {
    await page.goto(portal.url("/whole/"));
    await hydrated(page);
    await link(page, portal, "/").click();
    await expect(page.locator("h1")).toHaveText("Home");
    // The next document has loaded nothing of the page.
    await page.reload();
    await hydrated(page);
    await damage();
    await page.evaluate(() => {
      const moved = new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
      history.back();
      return moved.then(() => {});
    });
    await outwait(page, fault);
  },
};
type Way = keyof typeof ways;

/** Visitors get a page by a full load after ten seconds. */
async function outwait(page: Page, fault: Fault) {
  if (fault === "silence") await page.clock.fastForward(11_000);
}

const all = Object.keys(faults) as Fault[];
const some: Fault[] = ["404", "a document", "half"];
const most: Fault[] = [...some, "nothing", "a blocker", "silence"];
// Browsers show nothing of any site before its style sheets have come.
const ofStyles: Fault[] = ["404", "nothing", "a document", "half", "no network"];

/** What is tried. Where one file fails as another does, or one fault does as another, some of it is enough. */
const trials: Record<Way, Partial<Record<File, Fault[]>>> = {
  "is opened": {
    entry: most,
    packages: some,
    script: all,
    "shared script": some,
    "lazy script": most,
    "style sheet": ofStyles,
    "lazy style sheet": ofStyles,
  },
  "is reloaded": { entry: some, script: some, "lazy style sheet": some },
  "is reached by a link": {
    script: most,
    "shared script": some,
    "lazy script": [...some, "silence"],
    "style sheet": ofStyles,
    "lazy style sheet": some,
    title: [...some, "nothing", "silence"],
  },
  "is returned to": {
    script: ["404", "a document", "silence"],
    "style sheet": ["404", "a document"],
    title: ["404", "a document", "silence"],
  },
};

/** Whether something can be known to be wrong. */
function isTold(file: File, fault: Fault, way: Way): boolean {
  if (fault === "silence") return false;
  if (!file.endsWith("style sheet")) return true;
  // What the document links is the browser's alone.
  const isLoad = way === "is opened" || way === "is reloaded";
  return fault !== "nothing" && fault !== "half" && !(isLoad && fault === "a document");
}

async function expectReadable(page: Page | Frame, heading: string) {
  await expect(page.locator("h1")).toHaveCount(1);
  await expect(page.locator("h1")).toHaveText(heading);
  await expect(page.locator("h1")).toBeVisible();
  await expect(page.locator("header a").first()).toBeVisible();
}

function expectUsable(browser: Browser, portal: Portal, file: File, fault: Fault, way: Way): Promise<void> {
  return withVisit(browser, portal, file, fault, async (visit) => {
    const { page, messages, documents } = visit;
    await ways[way](visit);
    await expect(page).toHaveURL(portal.url("/whole/"));
    await expectReadable(page, "Whole");
    if (isTold(file, fault, way)) await expect.poll(() => messages, "what the console says").not.toEqual([]);
    // Long enough for a second attempt, a reload, and the same again.
    await page.waitForTimeout(2000);
    await expectReadable(page, "Whole");
    await expect(page.locator("#shared")).toHaveText("Words of the page");
    await expect(page).toHaveTitle("Whole");
    expect(documents.filter((url) => url === portal.url("/whole/")).length, "loads").toBeLessThanOrEqual(2);
    await link(page, portal, "/").click({ noWaitAfter: true });
    await expect(page).toHaveURL(portal.url("/"));
    await expectReadable(page, "Home");
    await expect(page).toHaveTitle("Home");
  });
}

/** All of `trials` side by side, each told by name if it fails. */
async function expectAll(trials: [name: string, outcome: Promise<void>][]) {
  const outcomes = await Promise.allSettled(trials.map(([, outcome]) => outcome));
  const failures = outcomes.flatMap((outcome, index) =>
    outcome.status === "rejected" ? [`${trials[index]![0]}: ${String(outcome.reason).slice(0, 600)}`] : [],
  );
  expect(failures).toEqual([]);
}

for (const way of Object.keys(ways) as Way[]) {
  for (const [file, tried] of Object.entries(trials[way]) as [File, Fault[]][]) {
    test(`a page that ${way} stays usable whatever comes in the place of its ${file}`, async ({ browser, portal }) => {
      await expectAll(tried.map((fault) => [fault, expectUsable(browser, portal, file, fault, way)]));
    });
  }
}

for (const file of ["style sheet", "lazy style sheet"] as const) {
  test(`a page is loaded by the browser if a document comes in the place of its ${file}`, async ({
    browser,
    portal,
  }) => {
    await withVisit(browser, portal, file, "a document", async (visit) => {
      await ways["is reached by a link"](visit);
      await expect.poll(() => visit.documents).toEqual([portal.url("/whole/")]);
      await expectReadable(visit.page, "Whole");
    });
  });

  test(`a page comes without a load if its ${file} has no rules`, async ({ browser, portal }) => {
    await withVisit(browser, portal, file, "nothing", async (visit) => {
      await ways["is reached by a link"](visit);
      await expectReadable(visit.page, "Whole");
      await expect(visit.page.locator("#part")).toBeVisible();
      expect(visit.documents).toEqual([]);
    });
  });
}

test("whatever is not what its hash says, the page stays usable", async ({ browser, ownPortal: portal }) => {
  await appendFile(join(portal.project, "routes.toml"), "\n[build]\nintegrity = true\n");
  await portal.rebuild();
  const tried = ["entry", "script", "lazy script", "style sheet"] as const;
  await expectAll(tried.map((file) => [file, expectUsable(browser, portal, file, "half", "is opened")]));
});

for (const file of ["entry", "script", "lazy script"] as const) {
  test(`where nothing can be stored, a page without its ${file} is not loaded anew`, async ({ browser, portal }) => {
    await withVisit(browser, portal, file, "404", async ({ page, damage, documents }) => {
      await page.addInitScript(() => {
        const get = () => {
          throw new DOMException("Access is denied", "SecurityError");
        };
        for (const name of ["sessionStorage", "localStorage"]) Object.defineProperty(window, name, { get });
      });
      await damage();
      await page.goto(portal.url("/whole/"));
      await page.waitForTimeout(1500);
      await expectReadable(page, "Whole");
      expect(documents).toEqual([portal.url("/whole/")]);
      await link(page, portal, "/").click();
      await expectReadable(page, "Home");
    });
  });
}

for (const sandbox of ["", "allow-scripts", "allow-scripts allow-same-origin"]) {
  test(`a page in a frame is usable with sandbox="${sandbox}"`, async ({ browser, portal }) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const body = `<!doctype html><title>Frame</title><iframe sandbox="${sandbox}" src="/whole/" width="800" height="600"></iframe>`;
    await page.route(portal.url("/frame"), (route) => route.fulfill({ contentType: "text/html", body }));
    await page.goto(portal.url("/frame"));
    const frame = page.frames()[1]!;
    await expectReadable(frame, "Whole");
    await frame.locator('a[href="/state/"]').click();
    await expectReadable(frame, "State");
    expect(page.url()).toBe(portal.url("/frame"));
    await context.close();
  });
}

test("without scripts and style sheets a page is usable", async ({ browser, portal }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.route(/\.css$/, (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto(portal.url("/whole/"));
  await expectReadable(page, "Whole");
  await link(page, portal, "/").click();
  await expectReadable(page, "Home");
  await context.close();
});

test("a document that was saved is readable", async ({ browser, portal }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`file://${join(portal.folder, "whole/index.html")}`);
  await page.waitForTimeout(500);
  await expectReadable(page, "Whole");
  await context.close();
});
