// What a document says of itself to others than its reader.
import type { Page } from "@playwright/test";
import { expect, hydrated, isMarked, link, mark, missingFile, test } from "../support/test.ts";
import { notFoundTitle, titleOf } from "../support/routes.ts";

function canonical(page: Page): Promise<string | null> {
  return page.locator("head > link[rel=canonical]").getAttribute("href");
}

test("a page that came without a load is shared under its own address", async ({ page, portal, visit }) => {
  await visit("/");
  await mark(page);
  expect(await canonical(page)).toBe(portal.url("/"));
  await link(page, portal, "/about/", "footer").click();
  await expect(page).toHaveURL(portal.url("/about/"));
  await expect.poll(() => canonical(page)).toBe(portal.url("/about/"));
  await page.goBack();
  await expect.poll(() => canonical(page)).toBe(portal.url("/"));
  expect(await isMarked(page)).toBe(true);

  const loaded = await page.context().newPage();
  await loaded.goto(portal.url("/about/"));
  await hydrated(loaded);
  expect(await canonical(loaded)).toBe(portal.url("/about/"));
});

test("what the head says is there once, before and after the page hydrates", async ({ page, visit }) => {
  await visit("/about/");
  for (const selector of [
    "meta[name=description]",
    "meta[name=theme-color]",
    "meta[property='og:title']",
    "meta[property='og:image']",
    "link[rel=manifest]",
    "script[type='application/ld+json']",
  ]) {
    await expect(page.locator(`head > ${selector}`), selector).toHaveCount(1);
    await expect(page.locator(selector), selector).toHaveCount(1);
  }
});

test("icons and the image for sharing are images of their size", async ({ page, portal, visit }) => {
  await visit("/");
  const sizes = await page.evaluate(async () => {
    const address = (selector: string) => document.querySelector<HTMLLinkElement>(selector)!.href;
    const manifest = address("link[rel=manifest]");
    const { icons, start_url } = await (await fetch(manifest)).json();
    const shared = document.querySelector<HTMLMetaElement>("meta[property='og:image']")!.content;
    const addresses = [
      ...icons.map((icon: { src: string }) => new URL(icon.src, manifest).href),
      address("link[rel=apple-touch-icon]"),
      address("link[rel=icon][sizes]"),
      address("link[rel=icon]:not([sizes])"),
      shared,
    ];
    const size = async (src: string) => {
      const image = Object.assign(new Image(), { src });
      await image.decode();
      return `${image.naturalWidth} × ${image.naturalHeight}`;
    };
    return { start: new URL(start_url, manifest).href, sizes: await Promise.all(addresses.map(size)) };
  });
  expect(sizes.start).toBe(portal.url("/"));
  expect(sizes.sizes.slice(0, 4)).toEqual(["192 × 192", "512 × 512", "512 × 512", "180 × 180"]);
  // Of the images in an ICO browsers take the largest, and a drawing has any size but none of its own.
  expect(sizes.sizes[4]).toBe("48 × 48");
  expect(sizes.sizes[6]).toBe("1200 × 630");
});

test.describe("where there is no page", () => {
  test.use({ expectedMessages: missingFile });

  test("an address without a page is not shared as another one", async ({ page, portal, visit }) => {
    await visit("/about/");
    await page.evaluate((url) => history.pushState(history.state, "", url), portal.url("/no-such-page/"));
    await page.goBack();
    await page.goForward();
    await expect(page).toHaveTitle(notFoundTitle);
    await expect(page.locator("head > link[rel=canonical]")).toHaveCount(0);
    await page.goBack();
    await expect(page).toHaveTitle(titleOf("/about/"));
  });
});
