// Files that are gone, as after a deployment while a visitor has a page open, and networks that fail.
import { expect, hydrated, isMarked, link, mark, missingFile, settled, test } from "../support/test.ts";
import { titleOf } from "../support/routes.ts";

const failedImport = /^error: portalgen: \S+ (could not be loaded|stopped working) TypeError: Failed to fetch dynamically imported module|net::ERR_FAILED/;

/** What portalgen says of a page that lacks a file. */
const missingPart =
  /^error: portalgen: \S+ (could not be loaded (Error: (Cannot load \S+\.css|\S+page\.json: 404)|TypeError: Failed to fetch\n)|works without its scripts only$)/;

test.use({ expectedMessages: new RegExp(`${missingFile.source}|${failedImport.source}|${missingPart.source}`) });

for (const [name, pattern] of [
  ["script", /about-\w+\.js/],
  ["style sheet", /about-\w+\.css/],
  ["title", /about\/page\.json/],
] as const) {
  test(`a page whose ${name} is gone is reached by a full load`, async ({ page, portal, visit }) => {
    await visit("/");
    await mark(page);
    portal.host.lose(pattern);
    await link(page, portal, "/about/", "footer").click();
    await expect(page).toHaveURL(portal.url("/about/"));
    await expect(page).toHaveTitle(titleOf("/about/"));
    await expect(page.locator("h1")).toBeVisible();
    expect(await isMarked(page)).toBe(false);
    // Links still lead on, as plain ones where the script is gone.
    await link(page, portal, "/FAQ/", "footer").click();
    await expect(page).toHaveTitle(titleOf("/FAQ/"));
    await hydrated(page);
    await page.goBack();
    await expect(page).toHaveTitle(titleOf("/about/"));
    await page.goBack();
    await expect(page).toHaveURL(portal.url("/"));
  });
}

test("Back to a place on a page whose script is gone loads that page", async ({ page, portal, visit }) => {
  await visit("/");
  await link(page, portal, "/whitePapers/#sources").click();
  await expect(page).toHaveURL(portal.url("/whitePapers/#sources"));
  await link(page, portal, "/about/", "footer").click();
  await expect(page).toHaveURL(portal.url("/about/"));
  await page.reload();
  await hydrated(page);
  portal.host.lose(/whitePapers-\w+\.js/);
  await page.goBack();
  await expect(page).toHaveURL(portal.url("/whitePapers/#sources"));
  await expect(page).toHaveTitle(titleOf("/whitePapers/"));
  await expect(page.locator("#sources")).toBeAttached();
});

test("a failure that passes is not remembered", async ({ page, portal, visit }) => {
  await visit("/");
  await page.route(/about\/page\.json/, (route) => route.abort());
  // The full load is kept from arriving, so that the next click finds the same document.
  await page.route(portal.url("/about/"), (route) => route.abort());
  await mark(page);
  await link(page, portal, "/about/", "footer").click({ noWaitAfter: true });
  await page.waitForEvent("requestfailed", (request) => request.isNavigationRequest());
  await page.unrouteAll();
  await link(page, portal, "/about/", "header").click();
  await expect(page).toHaveURL(portal.url("/about/"));
  await expect(page).toHaveTitle(titleOf("/about/"));
});

for (const [name, pattern, loads] of [
  // It is loaded anew, once.
  ["the page's own script", /\/FAQ-\w+\.js/, 2],
  ["the entry script", /\/portal-\w+\.js/, 2],
  ["the packages' script", /\/vendor-\w+\.js/, 2],
] as const) {
  test(`a page that comes without ${name} stays readable, and its links work`, async ({ page, portal }) => {
    portal.host.lose(pattern);
    const answered = page.waitForResponse(pattern);
    await page.goto(portal.url("/FAQ/"));
    await answered;
    await expect.poll(() => portal.host.documents.length).toBe(loads);
    // The last of the documents may be on its way.
    await expect(() => settled(page)).toPass();
    await page.waitForLoadState();
    await expect(page).toHaveTitle(titleOf("/FAQ/"));
    await expect(page.locator("h1")).toBeVisible();
    await page.locator("summary").first().click();
    await expect(page.locator("details p").first()).toBeVisible();
    portal.host.find();
    await link(page, portal, "/about/", "footer").click();
    await expect(page).toHaveURL(portal.url("/about/"));
    await hydrated(page);
  });
}

test("a visitor who has the last deployment open gets to the page of the new one", async ({
  page,
  ownPortal: portal,
  visit,
}) => {
  await visit("/");
  await mark(page);
  await portal.rebuild("--no-minify");
  await link(page, portal, "/about/", "footer").click();
  await expect(page).toHaveURL(portal.url("/about/"));
  await hydrated(page);
  expect(await isMarked(page)).toBe(false);
  await link(page, portal, "/FAQ/", "footer").click();
  await expect(page).toHaveTitle(titleOf("/FAQ/"));
});
