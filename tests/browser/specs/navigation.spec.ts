// Moving between pages without loading them.
import type { Page } from "@playwright/test";
import { expect, hydrated, isMarked, link, mark, scrollY, settled, test } from "../support/test.ts";
import { pages, titleOf } from "../support/routes.ts";

/** The text, structure and links of the main region. */
function content(page: Page): Promise<string> {
  return page.locator("main").ariaSnapshot();
}

test("a walk through all pages shows the same as loading each of them", async ({ page, portal, visit }) => {
  await visit("/");
  await mark(page);
  for (const { path, title } of [...pages.slice(1), ...pages.slice(0, 1)]) {
    await link(page, portal, path, "footer").click();
    await expect(page).toHaveURL(portal.url(path));
    await expect(page).toHaveTitle(title);
    await expect(page.locator("h1")).toHaveCount(1);
    expect(await scrollY(page)).toBe(0);
    expect(await isMarked(page), `${path} came without a load`).toBe(true);

    const loaded = await page.context().newPage();
    await loaded.goto(portal.url(path));
    await hydrated(loaded);
    expect(await content(page)).toBe(await content(loaded));
    await loaded.close();
  }
});

test("a page that comes is announced", async ({ page, portal, visit }) => {
  await visit("/");
  const status = page.getByRole("status");
  await link(page, portal, "/about/", "footer").click();
  await expect(status).toHaveText(titleOf("/about/"));
  await link(page, portal, "/reset/", "footer").click();
  await expect(status).toHaveText(titleOf("/reset/"));
  await page.goBack();
  await expect(status).toHaveText(titleOf("/about/"));
});

test("the focus moves to the main region when what had it is gone", async ({ page, portal, visit }) => {
  await visit("/");
  await link(page, portal, "/LanyuAI/", "main").focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(portal.url("/LanyuAI/"));
  await expect(page.locator("main")).toBeFocused();
  expect(await scrollY(page)).toBe(0);
});

test("the focus stays on a link that stays", async ({ page, portal, visit }) => {
  await visit("/");
  const about = link(page, portal, "/about/", "header");
  await about.focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(portal.url("/about/"));
  await expect(about).toBeFocused();
});

test("the link to the page on show says so", async ({ page, portal, visit }) => {
  await visit("/");
  const about = link(page, portal, "/about/", "header");
  await about.click();
  await expect(about).toHaveAttribute("aria-current", "page");
  await page.reload();
  await hydrated(page);
  await expect(about).toHaveAttribute("aria-current", "page");
});

test("a link to a place on another page leads there", async ({ page, portal, visit }) => {
  await visit("/");
  await mark(page);
  await link(page, portal, "/whitePapers/#sources").click();
  await expect(page).toHaveURL(portal.url("/whitePapers/#sources"));
  await expect(page.locator("#sources")).toBeInViewport();
  expect(await scrollY(page)).toBeGreaterThan(0);
  expect(await isMarked(page)).toBe(true);
});

test("a link to a place on the same page leads there", async ({ page, portal, visit }) => {
  await visit("/FAQ/");
  await mark(page);
  const place = page.locator("nav[aria-labelledby=contents-title] a").last();
  const hash = (await place.getAttribute("href")) ?? "";
  await place.click();
  await expect(page).toHaveURL(portal.url(`/FAQ/${hash}`));
  await expect(page.locator(`${hash} h2`)).toBeInViewport();
  await expect(page).toHaveTitle(titleOf("/FAQ/"));
  expect(await isMarked(page)).toBe(true);
});

test("the skip link leads to the main region", async ({ page, portal, visit }) => {
  await visit("/about/");
  await page.keyboard.press("Tab");
  await expect(page.locator(".skip-link")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
  expect(page.url()).toBe(portal.url("/about/#main"));
});

test("pointing at a link fetches the page, and nothing is fetched twice", async ({ page, portal, visit }) => {
  await visit("/");
  const asked = () => portal.host.requests.filter((path) => /about/.test(path));
  const about = link(page, portal, "/about/", "footer");
  await about.scrollIntoViewIfNeeded();
  expect(asked()).toEqual([]);
  await about.hover();
  for (const file of [/about[./]page\.json/, /about-\w+\.js/, /about-\w+\.css/]) {
    await expect.poll(() => asked().some((path) => file.test(path))).toBe(true);
  }
  expect(page.url()).toBe(portal.url("/"));
  await about.click();
  await expect(page).toHaveTitle(titleOf("/about/"));
  await settled(page);
  expect(asked().length).toBe(new Set(asked()).size);
});

test("a link that only flashes by fetches nothing", async ({ page, portal, visit }) => {
  await visit("/");
  const about = link(page, portal, "/about/", "footer");
  await about.scrollIntoViewIfNeeded();
  await about.evaluate((link) => {
    link.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
    link.dispatchEvent(new PointerEvent("pointerout", { bubbles: true }));
  });
  await page.waitForTimeout(300);
  expect(portal.host.requests.filter((path) => /about/.test(path))).toEqual([]);
});

test("the last of several clicks counts", async ({ page, portal, visit }) => {
  await visit("/");
  await mark(page);
  const before = await page.evaluate(() => history.length);
  const release = portal.host.hold(/\/about-[^/]*\.js/);
  const answered = page.waitForResponse(/\/about-[^/]*\.js/);
  await link(page, portal, "/about/", "footer").click();
  await link(page, portal, "/FAQ/", "footer").click();
  await expect(page).toHaveURL(portal.url("/FAQ/"));
  release();
  await (await answered).finished();
  await settled(page);
  expect(page.url()).toBe(portal.url("/FAQ/"));
  await expect(page).toHaveTitle(titleOf("/FAQ/"));
  expect(await page.evaluate(() => history.length)).toBe(before + 1);
  expect(await isMarked(page)).toBe(true);
});

test("a click that is overtaken by Back does not arrive", async ({ page, portal, visit }) => {
  await visit("/");
  await link(page, portal, "/FAQ/", "footer").click();
  await expect(page).toHaveURL(portal.url("/FAQ/"));
  const release = portal.host.hold(/\/about-[^/]*\.js/);
  const answered = page.waitForResponse(/\/about-[^/]*\.js/);
  await link(page, portal, "/about/", "footer").click();
  await page.goBack();
  await expect(page).toHaveTitle(titleOf("/"));
  release();
  await (await answered).finished();
  await settled(page);
  expect(page.url()).toBe(portal.url("/"));
  await expect(page).toHaveTitle(titleOf("/"));
});

for (const state of ["loaded", "loading"]) {
  test(`a double click leads to a page that is still ${state} once`, async ({ page, portal, visit }) => {
    await visit("/about/");
    if (state === "loaded") {
      await link(page, portal, "/FAQ/", "footer").click();
      await expect(page).toHaveURL(portal.url("/FAQ/"));
      await link(page, portal, "/about/", "footer").click();
      await expect(page).toHaveURL(portal.url("/about/"));
    }
    const before = await page.evaluate(() => history.length);
    const release = state === "loading" ? portal.host.hold(/\/FAQ-[^/]*\.js/) : () => {};
    await link(page, portal, "/FAQ/", "footer").dblclick();
    release();
    await expect(page).toHaveURL(portal.url("/FAQ/"));
    await settled(page);
    expect(await page.evaluate(() => history.length)).toBe(before + 1);
  });
}

test("clicks with a modifier or the middle button open a tab", async ({ page, portal, visit }) => {
  await visit("/");
  for (const options of [{ modifiers: ["Control" as const] }, { button: "middle" as const }]) {
    const opened = page.context().waitForEvent("page");
    await link(page, portal, "/about/", "footer").click(options);
    const tab = await opened;
    await hydrated(tab);
    expect(tab.url()).toBe(portal.url("/about/"));
    await expect(tab).toHaveTitle(titleOf("/about/"));
    expect(page.url()).toBe(portal.url("/"));
    await tab.close();
  }
});

test("the menu of a narrow screen opens, leads on and closes", async ({ page, portal, visit }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await visit("/");
  const about = link(page, portal, "/about/", "#site-nav");
  await expect(about).toBeHidden();
  await page.locator(".menu-button").click();
  await about.click();
  await expect(page).toHaveURL(portal.url("/about/"));
  await expect(about).toBeHidden();
  await page.locator(".menu-button").click();
  await expect(about).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(about).toBeHidden();
});
