// Back, forward and reload.
import type { Page } from "@playwright/test";
import { expect, hydrated, isMarked, link, mark, type Portal, scrollY, test } from "../support/test.ts";
import { pages, titleOf } from "../support/routes.ts";

/** Follows a link after bringing it to the middle of the window; returns where the page was scrolled to. */
async function followFromMiddle(page: Page, portal: Portal, path: string, within: string): Promise<number> {
  const target = link(page, portal, path, within);
  await target.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const position = await scrollY(page);
  expect(position).toBeGreaterThan(0);
  await target.click();
  await expect(page).toHaveURL(portal.url(path));
  return position;
}

test("back and forward show title and content of each page", async ({ page, portal, visit }) => {
  await visit("/");
  await mark(page);
  const headings = [await page.locator("h1").innerText()];
  for (const { path, title } of pages.slice(1)) {
    await link(page, portal, path, "footer").click();
    await expect(page).toHaveURL(portal.url(path));
    await expect(page).toHaveTitle(title);
    headings.push(await page.locator("h1").innerText());
  }
  const isOn = async (index: number) => {
    await expect(page.locator("h1")).toHaveText(headings[index] ?? "", { useInnerText: true });
    await expect(page).toHaveURL(portal.url(pages[index]?.path ?? ""));
    await expect(page).toHaveTitle(pages[index]?.title ?? "");
  };
  for (let index = pages.length - 2; index >= 0; index--) {
    await page.goBack();
    await isOn(index);
  }
  for (let index = 1; index < pages.length; index++) {
    await page.goForward();
    await isOn(index);
  }
  expect(await isMarked(page)).toBe(true);
});

test("back and forward return to where the visitor was", async ({ page, portal, visit }) => {
  await visit("/");
  const onHome = await followFromMiddle(page, portal, "/whitePapers/#sources", "main");
  await expect.poll(() => scrollY(page)).toBeGreaterThan(0);
  const onPapers = await followFromMiddle(page, portal, "/PlatformTCs/", "footer");
  expect(await scrollY(page)).toBe(0);
  await page.goBack();
  await expect.poll(() => scrollY(page)).toBe(onPapers);
  await page.goBack();
  await expect.poll(() => scrollY(page)).toBe(onHome);
  await page.goForward();
  await expect.poll(() => scrollY(page)).toBe(onPapers);
  await page.goForward();
  await expect(page).toHaveTitle(titleOf("/PlatformTCs/"));
  await expect.poll(() => scrollY(page)).toBe(0);
});

test("back from a place on a page returns to where the visitor was on it", async ({ page, portal, visit }) => {
  await visit("/FAQ/");
  const place = page.locator("nav[aria-labelledby=contents-title] a").last();
  const hash = (await place.getAttribute("href")) ?? "";
  await place.click();
  await expect(page).toHaveURL(portal.url(`/FAQ/${hash}`));
  await expect.poll(() => scrollY(page)).toBeGreaterThan(0);
  const atPlace = await scrollY(page);
  await page.goBack();
  await expect(page).toHaveURL(portal.url("/FAQ/"));
  await expect.poll(() => scrollY(page)).toBe(0);
  await page.goForward();
  await expect.poll(() => scrollY(page)).toBe(atPlace);
  // A real click would scroll first.
  await link(page, portal, "/about/", "header").dispatchEvent("click");
  await expect(page).toHaveURL(portal.url("/about/"));
  await page.goBack();
  await expect.poll(() => scrollY(page)).toBe(atPlace);
  await page.goBack();
  await expect.poll(() => scrollY(page)).toBe(0);
});

test("a reload keeps the page, its place, and the way back", async ({ page, portal, visit }) => {
  await visit("/");
  const onHome = await followFromMiddle(page, portal, "/LanyuAI/", "main");
  const onTour = await page.evaluate(() => {
    window.scrollTo(0, 700);
    return Math.round(window.scrollY);
  });
  await page.reload();
  await hydrated(page);
  await expect(page).toHaveTitle(titleOf("/LanyuAI/"));
  await expect.poll(() => scrollY(page)).toBe(onTour);
  await page.goBack();
  await expect(page).toHaveURL(portal.url("/"));
  await expect(page.locator("h1")).toContainText("信息如海");
  await expect.poll(() => scrollY(page)).toBe(onHome);
});

test("the way back over several pages from another site leads to the place, too", async ({ page, portal, visit }) => {
  await visit("/");
  const onHome = await followFromMiddle(page, portal, "/LanyuAI/", "main");
  await page.goto(`${portal.chat.origin}/elsewhere`);
  // Later, since the answer to this call would not come back from a page that is gone.
  await page.evaluate(() => void setTimeout(() => history.go(-2)));
  await expect(page).toHaveURL(portal.url("/"));
  await hydrated(page);
  await expect.poll(() => scrollY(page)).toBe(onHome);
});

test("the way back from another site leads to the page and its place", async ({ page, portal, visit }) => {
  await visit("/");
  await link(page, portal, "/about/", "footer").click();
  await expect(page).toHaveURL(portal.url("/about/"));
  const onAbout = await page.evaluate(() => {
    window.scrollTo(0, 500);
    return Math.round(window.scrollY);
  });
  await page.goto(`${portal.chat.origin}/elsewhere`);
  await page.goBack();
  await hydrated(page);
  await expect(page).toHaveURL(portal.url("/about/"));
  await expect.poll(() => scrollY(page)).toBe(onAbout);
  await page.goBack();
  await expect(page).toHaveURL(portal.url("/"));
  await expect(page.locator("h1")).toContainText("信息如海");
});

test("Back while a page that was reloaded is being loaded", async ({ page, portal, visit }) => {
  await visit("/");
  await link(page, portal, "/about/", "footer").click();
  await expect(page).toHaveURL(portal.url("/about/"));
  const release = portal.host.hold(/about-\w+\.js/);
  await page.reload({ waitUntil: "commit" });
  await expect(page.locator("h1")).toBeVisible();
  // The entry is there, and waits.
  await expect.poll(() => page.evaluate(() => Symbol.for("portalgen") in window)).toBe(true);
  await page.evaluate(() => history.back());
  await expect(page).toHaveURL(portal.url("/"));
  release();
  await expect(page).toHaveTitle(titleOf("/"));
  await hydrated(page);
  await expect(page.locator("h1")).toBeVisible();
  await link(page, portal, "/about/", "footer").click();
  await expect(page).toHaveTitle(titleOf("/about/"));
});

test("Back before a page that was reloaded has run any script", async ({ page, portal, visit }) => {
  await visit("/");
  await link(page, portal, "/about/", "footer").click();
  await expect(page).toHaveURL(portal.url("/about/"));
  const about = await page.locator("h1").innerText();
  // It helps more than once.
  for (const _ of [1, 2]) {
    const release = portal.host.hold(/\.js$/);
    await page.reload({ waitUntil: "commit" });
    await expect(page.locator("h1")).toHaveText(about);
    await page.evaluate(() => history.back());
    await expect(page).toHaveURL(portal.url("/"));
    expect(await page.evaluate(() => Symbol.for("portalgen") in window)).toBe(false);
    release();
    await expect(page).toHaveTitle(titleOf("/"));
    await expect(page.locator("h1")).toContainText("信息如海");
    await hydrated(page);
    await page.goForward();
    await expect(page).toHaveTitle(titleOf("/about/"));
    await expect(page.locator("h1")).toHaveText(about);
  }
});
