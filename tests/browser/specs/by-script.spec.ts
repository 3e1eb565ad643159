// Navigation that a page starts itself, relative links, and paths that must be escaped.
import type { Page } from "@playwright/test";
import { expect, hydrated, isMarked, mark, missingFile, test } from "../support/test.ts";

test.use({ portalName: "links", expectedMessages: missingFile });

const click = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const follow = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).click();

/** What the components of a page see of its address. */
async function seen(page: Page): Promise<unknown> {
  await expect(page.locator("output")).toBeVisible();
  return JSON.parse(await page.locator("output").innerText());
}

test("the guard stands before navigation by script, too", async ({ page, portal, visit }) => {
  await visit("/");
  await click(page, "sign in");
  // The target's own parameter is not to be overridden by a link.
  await expect(page).toHaveURL(`${portal.chat.origin}/login?client=web&next=%2Fpay#step`);
  await page.goBack();
  await expect(page).toHaveURL(portal.url("/"));
});

test("a route that redirects can replace the page that leads to it", async ({ page, portal, visit }) => {
  await visit("/v1.0/");
  await visit("/");
  await click(page, "sign in, replacing");
  await expect(page).toHaveURL(`${portal.chat.origin}/login?client=web`);
  await page.goBack();
  await expect(page).toHaveURL(portal.url("/v1.0/"));
});

for (const way of ["inside", "outside"]) {
  test(`an old address leads to the page's new one from ${way}`, async ({ page, portal, visit }) => {
    await visit("/");
    if (way === "inside") await click(page, "old address");
    else await page.goto(portal.url("/old/?a=1#b"));
    await expect(page).toHaveURL(portal.url("/v1.0/?from=old&a=1#b"));
    await hydrated(page);
    await page.goBack();
    await expect(page).toHaveURL(portal.url("/"));
  });
}

test("query, hash and state arrive, and outlive a reload", async ({ page, portal, visit }) => {
  await visit("/");
  await click(page, "with state");
  const address = { pathname: "/v1.0", search: "?q=%E4%BD%A0", hash: "#h", state: { from: "start" }, q: "你" };
  expect(await seen(page)).toEqual(address);
  expect(page.url()).toBe(portal.url("/v1.0/?q=%E4%BD%A0#h"));
  await page.reload();
  await hydrated(page);
  await expect.poll(() => seen(page)).toEqual(address);
});

test("replacing leaves no way back", async ({ page, portal, visit }) => {
  await visit("/%E6%8C%87%E5%8D%97/%E7%AC%AC%E4%B8%80%E7%AB%A0/");
  await visit("/");
  await click(page, "replacing");
  await expect(page).toHaveURL(portal.url("/v1.0/"));
  await page.goBack();
  await expect(page).toHaveTitle("Chapter one");
});

test("relative links start from the page, with and without scripts", async ({ page, portal, visit }) => {
  await visit("/");
  await mark(page);
  await follow(page, "Chapter one");
  await expect(page).toHaveURL(portal.url("/%E6%8C%87%E5%8D%97/%E7%AC%AC%E4%B8%80%E7%AB%A0/"));
  await expect(page).toHaveTitle("Chapter one");
  await follow(page, "Next");
  await expect(page).toHaveURL(portal.url("/%E6%8C%87%E5%8D%97/%E7%AC%AC%E4%BA%8C%E7%AB%A0/"));
  await expect(page).toHaveTitle("Chapter two & <more>");
  await follow(page, "Query");
  await expect(page).toHaveURL(portal.url("/%E6%8C%87%E5%8D%97/%E7%AC%AC%E4%BA%8C%E7%AB%A0/?q=2"));
  await click(page, "Set query");
  await expect(page).toHaveURL(portal.url("/%E6%8C%87%E5%8D%97/%E7%AC%AC%E4%BA%8C%E7%AB%A0/?q=3"));
  await click(page, "Back");
  await expect(page).toHaveURL(portal.url("/%E6%8C%87%E5%8D%97/%E7%AC%AC%E4%BA%8C%E7%AB%A0/?q=2"));
  expect(await isMarked(page)).toBe(true);
});

test("a page keeps its state when only its query changes", async ({ page, visit }) => {
  await visit("/v1.0/");
  await click(page, "Count 0");
  await follow(page, "Query");
  await expect.poll(() => seen(page)).toMatchObject({ search: "?q=2" });
  await expect(page.getByRole("button", { name: "Count 1" })).toBeVisible();
});

test("a page starts afresh when it is another route's", async ({ page, portal, visit }) => {
  await visit("/%E6%8C%87%E5%8D%97/%E7%AC%AC%E4%B8%80%E7%AB%A0/");
  await click(page, "Count 0");
  await follow(page, "Next");
  await expect(page).toHaveTitle("Chapter two & <more>");
  await expect(page.getByRole("button", { name: "Count 0" })).toBeVisible();
  await expect(page.locator("[role=status]")).toHaveText("Chapter two & <more>");
  await page.goBack();
  await expect(page).toHaveTitle("Chapter one");
  expect(page.url()).toBe(portal.url("/%E6%8C%87%E5%8D%97/%E7%AC%AC%E4%B8%80%E7%AB%A0/"));
});

for (const way of ["link", "script"]) {
  test(`a ${way} to an unknown path is answered by the server`, async ({ page, portal, visit }) => {
    await visit("/");
    await mark(page);
    if (way === "link") await follow(page, "Nowhere");
    else await click(page, "nowhere");
    await expect(page).toHaveTitle("Not found");
    await expect(page.locator("h1")).toHaveText("404");
    await hydrated(page);
    expect(page.url()).toBe(portal.url(way === "link" ? "/nowhere/" : "/nowhere/?a=1"));
    expect(await isMarked(page)).toBe(false);
    await page.goBack();
    await expect(page).toHaveTitle("Start");
  });
}
