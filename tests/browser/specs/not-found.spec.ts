// Addresses that are no route.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, hydrated, isMarked, link, mark, missingFile, type Portal, test } from "../support/test.ts";
import { notFoundTitle, titleOf, unknownPath } from "../support/routes.ts";

test.use({ expectedMessages: missingFile });

test("an unknown address answers 404 with the not-found page, hydrated", async ({ page, portal }) => {
  for (const address of [unknownPath, `${unknownPath}/?a=1#b`, "/About/", "/%E4%BD%A0%FF", "/404.html"]) {
    const response = await page.goto(portal.url(address));
    expect(response?.status()).toBe(address === "/404.html" ? 200 : 404);
    await hydrated(page);
    await expect(page).toHaveTitle(notFoundTitle);
    await expect(page.locator("h1")).toHaveCount(1);
    expect(page.url()).toBe(portal.url(address));
    await mark(page);
    await link(page, portal, "/FAQ/", "main").click();
    await expect(page).toHaveURL(portal.url("/FAQ/"));
    await expect(page).toHaveTitle(titleOf("/FAQ/"));
    expect(await isMarked(page)).toBe(true);
  }
});

test("Back from a page to the not-found page, and the address is still there", async ({ page, portal, visit }) => {
  await visit(unknownPath);
  const heading = await page.locator("h1").innerText();
  await link(page, portal, "/", "main").click();
  await expect(page).toHaveTitle(titleOf("/"));
  await page.goBack();
  await expect(page).toHaveURL(portal.url(unknownPath));
  await expect(page).toHaveTitle(notFoundTitle);
  await expect(page.locator("h1")).toHaveText(heading);
});

test("Back before the not-found page has run any script", async ({ page, portal, visit }) => {
  await visit("/about/");
  await page.evaluate((url) => history.pushState(history.state, "", url), portal.url(unknownPath));
  const release = portal.host.hold(/\.js$/);
  await page.reload({ waitUntil: "commit" });
  await expect(page).toHaveTitle(notFoundTitle);
  await page.evaluate(() => history.back());
  await expect(page).toHaveURL(portal.url("/about/"));
  expect(await page.evaluate(() => Symbol.for("portalgen") in window)).toBe(false);
  release();
  await expect(page).toHaveTitle(titleOf("/about/"));
  await hydrated(page);
});

/** Has the host send the document of a file for a path, as hosts do that know nothing of the portal. */
async function sendFile(page: Page, portal: Portal, file: string, address: string, status: number) {
  const body = await readFile(join(portal.folder, file));
  await page.route(address, (route) => route.fulfill({ status, body, contentType: "text/html" }));
}

test("the not-found page at the other form of an address leads to the right one", async ({ page, portal, variant }) => {
  const right = portal.url("/about/");
  const other = variant.slash ? `${right}/` : right.slice(0, -1);
  await sendFile(page, portal, "404.html", `${other}?a=1`, 404);
  await page.goto(portal.url("/"));
  await page.goto(`${other}?a=1#b`);
  await expect(page).toHaveURL(`${right}?a=1#b`);
  await expect(page).toHaveTitle(titleOf("/about/"));
  await hydrated(page);
  // The wrong form is no entry of the history.
  await page.goBack();
  await expect(page).toHaveURL(portal.url("/"));
});

test("the not-found page at the address of a page that is not there is the not-found page", async ({ page, portal }) => {
  await sendFile(page, portal, "404.html", portal.url("/about/"), 404);
  await page.goto(portal.url("/about/"));
  await hydrated(page);
  await expect(page).toHaveTitle(notFoundTitle);
  expect(page.url()).toBe(portal.url("/about/"));
  await page.unrouteAll();
  await link(page, portal, "/FAQ/", "main").click();
  await expect(page).toHaveTitle(titleOf("/FAQ/"));
});

test("where both forms are the not-found page, it is gone to once", async ({ page, portal, variant }) => {
  const right = portal.url("/about/");
  const other = variant.slash ? `${right}/` : right.slice(0, -1);
  let documents = 0;
  page.on("request", (request) => (documents += Number(request.isNavigationRequest())));
  for (const address of [right, other]) await sendFile(page, portal, "404.html", address, 404);
  await page.goto(other);
  await expect(page).toHaveURL(right);
  await hydrated(page);
  await expect(page).toHaveTitle(notFoundTitle);
  expect(documents).toBe(2);
});

test("a page that is sent for an address that is no route is that page", async ({ page, portal }) => {
  const address = portal.url("/ABOUT/");
  await sendFile(page, portal, fileOf(portal, "/about/"), address, 200);
  await page.goto(address);
  await hydrated(page);
  await expect(page).toHaveTitle(titleOf("/about/"));
  await link(page, portal, "/FAQ/").click();
  await expect(page).toHaveTitle(titleOf("/FAQ/"));
});

/** The file of a page. */
function fileOf(portal: Portal, path: string): string {
  const { pathname } = new URL(portal.url(path));
  const inside = pathname.slice(new URL(portal.url("/")).pathname.length);
  return inside.endsWith("/") ? `${inside}index.html` : `${inside}.html`;
}

test("a missing file is no page", async ({ portal }) => {
  expect((await portal.host.answer(portal.url("/assets/none.js"))).status).toBe(404);
});
