// What becomes of pages that are open while a new release is deployed.
import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { headersOf } from "../support/portalgen.ts";
import { expect, hydrated, isMarked, link, mark, missingFile, type OwnPortal, type Portal, settled, test } from "../support/test.ts";

const failedImport = /^error: portalgen: \S+ (could not be loaded|stopped working) TypeError: Failed to fetch dynamically imported module|net::ERR_(FAILED|INTERNET_DISCONNECTED|BLOCKED_BY_CLIENT)/;

const withoutScripts = /^error: portalgen: \S+ works without its scripts only$/;

test.use({
  portalName: "releases",
  expectedMessages: new RegExp(`${missingFile.source}|${failedImport.source}|${withoutScripts.source}`),
});

/** Builds a release of which every chunk has another name than in all others. The portal as it was built is release 1. */
async function deploy(portal: OwnPortal, name: string, keep: number) {
  const edit = async (file: string, pattern: RegExp, text: string) => {
    const path = join(portal.project, file);
    await writeFile(path, (await readFile(path, "utf8")).replace(pattern, text));
  };
  await edit("site/release.ts", /"\w+"/, JSON.stringify(name));
  await edit("routes.toml", /keep = \d+/, `keep = ${keep}`);
  await portal.rebuild();
}

function scripts(portal: Portal): string[] {
  return readdirSync(join(portal.folder, "assets")).filter((name) => name.endsWith(".js"));
}

/** How often a document was asked for. */
function loads(portal: Portal, path: string): number {
  const { pathname } = new URL(portal.url(path));
  return portal.host.documents.filter((request) => request === pathname).length;
}

async function release(page: Page): Promise<string | null> {
  return page.locator("header").getAttribute("data-release");
}

test("without what it was made of, a page that is still open gets to the next one by a full load", async ({
  page,
  ownPortal: portal,
  visit,
}) => {
  const old = scripts(portal);
  await visit("/");
  await mark(page);
  await deploy(portal, "2", 0);
  // All but the packages and the scripts that hold nothing of the portal.
  const kept = scripts(portal).filter((name) => old.includes(name) && !/^(vendor|redirect|recovery)-/.test(name));
  expect(kept).toEqual([]);
  await link(page, portal, "/about/").click();
  await expect(page.locator("#release")).toHaveText("2");
  await hydrated(page);
  expect(page.url()).toBe(portal.url("/about/"));
  expect(await isMarked(page)).toBe(false);
  expect(loads(portal, "/about/")).toBe(1);
  // From there on it is the new release.
  await mark(page);
  await link(page, portal, "/").click();
  await expect(page.locator("h1")).toHaveText("Home");
  expect(await isMarked(page)).toBe(true);
  expect(await release(page)).toBe("2");
});

test("with it, the parts of a page that is open come for as many releases as are kept", async ({
  page,
  ownPortal: portal,
  visit,
}) => {
  await deploy(portal, "2", 2);
  await visit("/chart/");
  await mark(page);
  await deploy(portal, "3", 2);
  await deploy(portal, "4", 2);
  await page.getByRole("button").click();
  await expect(page.locator("#plot")).toHaveText("2");
  expect(await isMarked(page)).toBe(true);
  // The next page is the new release's, and so is what is around it.
  await link(page, portal, "/about/").click();
  await expect(page.locator("#release")).toHaveText("4");
  await hydrated(page);
  expect(await release(page)).toBe("4");
  expect(await isMarked(page)).toBe(false);
  expect(loads(portal, "/about/")).toBe(1);
});

test("a release more is one too many", async ({ page, ownPortal: portal, visit }) => {
  await deploy(portal, "2", 1);
  await visit("/chart/");
  await deploy(portal, "3", 1);
  await deploy(portal, "4", 1);
  await page.getByRole("button").click();
  await expect.poll(() => release(page)).toBe("4");
});

test("a release that has changed a page only comes without a load", async ({ page, ownPortal: portal, visit }) => {
  await visit("/");
  await mark(page);
  const file = join(portal.project, "site/pages/about.tsx");
  await writeFile(file, (await readFile(file, "utf8")).replace(">About<", ">About us<"));
  await portal.rebuild();
  await link(page, portal, "/about/").click();
  await expect(page.locator("h1")).toHaveText("About us");
  expect(await isMarked(page)).toBe(true);
  expect(loads(portal, "/about/")).toBe(0);
  // What was shown before stays as it was.
  await link(page, portal, "/").click();
  await expect(page.locator("h1")).toHaveText("Home");
  await writeFile(file, (await readFile(file, "utf8")).replace(">About us<", ">About them<"));
  await portal.rebuild();
  await link(page, portal, "/about/").click();
  await expect(page.locator("h1")).toHaveText("About us");
  expect(await isMarked(page)).toBe(true);
});

for (const [name, pattern] of [
  ["script", /about-\w+\.js/],
  ["style sheet", /about-\w+\.css/],
  ["title", /about\/page\.json/],
] as const) {
  test(`a ${name} that comes at the second attempt is enough`, async ({ page, portal, visit }) => {
    await visit("/");
    await mark(page);
    await page.route(pattern, (route) => route.abort(), { times: 1 });
    await link(page, portal, "/about/").click();
    await expect(page.locator("#release")).toHaveText("1");
    await expect(page).toHaveTitle("About");
    expect(await isMarked(page)).toBe(true);
    expect(loads(portal, "/about/")).toBe(0);
  });
}

test("a page whose script is nowhere is loaded twice at most, and stays readable", async ({ page, portal, visit }) => {
  await visit("/");
  portal.host.lose(/about-\w+\.js/);
  const reloaded = page.waitForResponse((response) => loads(portal, "/about/") > 1 && /about-/.test(response.url()));
  await link(page, portal, "/about/").click();
  await reloaded;
  await page.waitForTimeout(1000);
  await settled(page);
  await expect(page.locator("#release")).toHaveText("1");
  expect(loads(portal, "/about/")).toBe(2);
  await page.reload();
  await page.waitForTimeout(1000);
  expect(loads(portal, "/about/")).toBe(3);
});

test("a page that some cache still had brings the new one", async ({ page, ownPortal: portal }) => {
  const stale = await readFile(join(portal.folder, "about/index.html"), "utf8");
  const entry = /portal-\w+\.js/.exec(stale)?.[0] ?? "";
  const script = await readFile(join(portal.folder, "assets", entry), "utf8");
  await deploy(portal, "2", 0);
  // A cache has the old document and its entry, and nothing else of that release.
  await page.route(portal.url("/about/"), (route) => route.fulfill({ body: stale, contentType: "text/html" }), {
    times: 1,
  });
  await page.route(`**/${entry}`, (route) => route.fulfill({ body: script, contentType: "text/javascript" }));
  await page.goto(portal.url("/about/"));
  await expect(page.locator("#release")).toHaveText("2");
  await hydrated(page);
});

for (const integrity of [false, true]) {
  test(`a page that some cache still had recovers without its entry, ${integrity ? "with" : "without"} integrity`, async ({
    page,
    ownPortal: portal,
  }) => {
    const settings = join(portal.project, "routes.toml");
    const set = async (value: boolean) => {
      await writeFile(settings, (await readFile(settings, "utf8")).replace(/integrity = \w+/, `integrity = ${value}`));
    };
    await set(integrity);
    await deploy(portal, "2", 0);
    const stale = await readFile(join(portal.folder, "about/index.html"), "utf8");
    const headers = await headersOf(portal.folder);
    await deploy(portal, "3", 0);
    await set(false);
    const staleFor = async (times: number) => {
      const answer = { body: stale, contentType: "text/html", headers };
      await page.route(portal.url("/about/"), (route) => route.fulfill(answer), { times });
    };
    await staleFor(1);
    await page.goto(`${portal.url("/about/")}#b`);
    await expect(page.locator("#release")).toHaveText("3");
    await hydrated(page);
    expect(loads(portal, "/about/")).toBe(1);
    await page.unrouteAll();
    // A cache that does not let go of it: once is enough.
    await page.evaluate(() => sessionStorage.clear());
    let served = 0;
    page.on("request", (request) => (served += Number(request.isNavigationRequest())));
    await staleFor(9);
    await page.goto(portal.url("/about/"));
    await page.waitForTimeout(1500);
    expect(served).toBe(2);
    await expect(page.locator("#release")).toHaveText("2");
  });
}

test("an entry that a blocker keeps away is no reason to load the page anew", async ({ page, portal }) => {
  await page.route(/portal-\w+\.js/, (route) => route.abort("blockedbyclient"));
  await page.goto(portal.url("/about/"));
  await page.waitForTimeout(1500);
  expect(loads(portal, "/about/")).toBe(1);
  await expect(page.locator("h1")).toHaveText("About");
});

test("without a network, what shows stays", async ({ page, portal }) => {
  await page.route(/about-\w+\.js/, async (route) => {
    await page.context().setOffline(true);
    await route.abort();
  });
  await page.goto(portal.url("/about/"));
  await mark(page);
  await page.waitForTimeout(1500);
  await expect(page.locator("#release")).toHaveText("1");
  expect(await isMarked(page)).toBe(true);
});

test("a part of a page that is gone takes the page with it only until it is loaded anew", async ({
  page,
  ownPortal: portal,
  visit,
}) => {
  await visit("/chart/");
  await deploy(portal, "2", 0);
  await page.getByRole("button").click();
  await expect.poll(() => release(page)).toBe("2");
  await hydrated(page);
  await page.getByRole("button").click();
  await expect(page.locator("#plot")).toHaveText("2");
});
