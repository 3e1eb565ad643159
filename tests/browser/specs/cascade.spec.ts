// Which of two equal rules wins, decided by the browser: between sheets of pages, between sheets that import each other,
// and between the classes of CSS modules.
import type { Page } from "@playwright/test";
import { expect, link, settled, test, type Portal } from "../support/test.ts";

test.use({ portalName: "styles" });

/** For each element that two sheets disagree about, the sheet that wins. */
function winners(page: Page): Promise<Record<string, string>> {
  return page.locator("main p").evaluateAll((elements) => {
    const winner = (element: Element) => getComputedStyle(element).getPropertyValue("--winner").trim();
    return Object.fromEntries(elements.map((element) => [element.className, winner(element)]));
  });
}

const first = { "base-first": "first", "base-shared": "shared", "first-shared": "shared" };
const second = { "base-shared": "shared", "base-second": "second", "shared-second": "second" };

test("what a page imports later wins, on a page that is loaded", async ({ page, visit }) => {
  await visit("/");
  expect(await winners(page)).toMatchObject(first);
  await visit("/second/");
  expect(await winners(page)).toMatchObject(second);
});

test("what a page imports later wins, whatever was shown before", async ({ page, portal, visit }) => {
  for (const [from, to, name, expected] of [
    ["/second/", "/", "first-shared", first],
    ["/", "/second/", "shared-second", second],
  ] as const) {
    await visit(from);
    await link(page, portal, to, "nav").click();
    await expect(page).toHaveURL(portal.url(to));
    await expect(page.locator(`.${name}`)).toBeVisible();
    expect(await winners(page)).toMatchObject(expected);
    const sheets = await page
      .locator("link[rel=stylesheet]")
      .evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).href));
    expect(new Set(sheets).size).toBe(sheets.length);
    expect(sheets).toHaveLength(4);
  }
});

test("a shared sheet may come between two that only one page has", async ({ page, portal, visit }) => {
  const around = { "under-shared": "shared", "shared-over": "over", "under-over": "over" };
  await visit("/around/");
  expect(await winners(page)).toEqual(around);
  for (const from of ["/", "/second/"]) {
    await visit(from);
    await follow(page, portal, "/around/");
    expect(await winners(page)).toEqual(around);
  }
});

test("two sheets that came one by one are in the order of the page that has both", async ({ page, portal, visit }) => {
  for (const [from, over] of [
    ["/left/", "/right/"],
    ["/right/", "/left/"],
  ] as const) {
    await visit(from);
    await follow(page, portal, over);
    await follow(page, portal, "/both/");
    expect(await winners(page)).toEqual({ "left-right": "right" });
  }
});

async function follow(page: Page, portal: Portal, to: string): Promise<void> {
  await link(page, portal, to, "nav").click();
  await expect(page).toHaveURL(portal.url(to));
  await settled(page);
}

test("sheets that import each other mean what the browser takes them to mean", async ({ page, visit }) => {
  for (const media of ["screen", "print"] as const) {
    await visit("/imports/");
    await page.emulateMedia({ media });
    const bundled = await winners(page);
    const color = await page.locator(".main-f").evaluate((element) => getComputedStyle(element).color);
    await page.evaluate(async () => {
      for (const link of document.querySelectorAll("link[rel=stylesheet]")) link.remove();
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.href = "/raw/main.css";
      await new Promise((resolve, reject) => {
        link.onload = resolve;
        link.onerror = reject;
        document.head.append(link);
      });
    });
    expect(Object.keys(bundled)).toHaveLength(36);
    expect(bundled).toEqual(await winners(page));
    expect(color).toBe("rgb(1, 2, 3)");
    expect(await page.locator(".main-f").evaluate((element) => getComputedStyle(element).color)).toBe(color);
  }
});

test("a class overrules those that it is composed of", async ({ page, visit }) => {
  await visit("/classes/");
  const style = page.locator("main p").evaluate((element) => {
    const { letterSpacing, wordSpacing, textIndent, paddingLeft, marginLeft } = getComputedStyle(element);
    return { letterSpacing, wordSpacing, textIndent, paddingLeft, marginLeft };
  });
  expect(await style).toEqual({
    letterSpacing: "3px",
    wordSpacing: "4px",
    textIndent: "5px",
    paddingLeft: "2px",
    marginLeft: "1px",
  });
});
