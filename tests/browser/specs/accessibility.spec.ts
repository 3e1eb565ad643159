// Every page, light and dark, on wide and narrow screens.
import type { Page } from "@playwright/test";
import axe from "axe-core";
import { expect, link, missingFile, test } from "../support/test.ts";
import { pages, unknownPath } from "../support/routes.ts";

test.use({ expectedMessages: missingFile });

const addresses = [...pages.map(({ path }) => path), unknownPath];

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    for (const address of addresses) {
      test(`${address} has no serious fault that axe can find`, async ({ page, visit }) => {
        await visit(address);
        for (const details of await page.locator("details").all()) {
          await details.evaluate((element) => element.setAttribute("open", ""));
        }
        expect(await seriousFaults(page)).toEqual([]);
      });

      test(`${address} fits a screen of 320 pixels`, async ({ page, visit }) => {
        await page.setViewportSize({ width: 320, height: 640 });
        await visit(address);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
        expect(await clipped(page)).toEqual([]);
      });
    }

    test("the open menu of a narrow screen has no serious fault", async ({ page, visit }) => {
      await page.setViewportSize({ width: 320, height: 640 });
      await visit("/");
      await page.locator(".menu-button").click();
      await expect(page.locator("#site-nav")).toBeVisible();
      expect(await seriousFaults(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    });

    test("a page that one navigates to has no serious fault", async ({ page, portal, visit }) => {
      await visit("/");
      await link(page, portal, "/about/", "footer").click();
      await expect(page).toHaveURL(portal.url("/about/"));
      expect(await seriousFaults(page)).toEqual([]);
    });
  });
}

async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => axe.run({ resultTypes: ["violations"] }));
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return serious.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}: ${node.failureSummary}`));
}

/** Text that reaches beyond the screen without a way to scroll to it. */
function clipped(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const canScroll = (element: Element) => ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
    const isReachable = (element: Element | null): boolean =>
      element !== null && (canScroll(element) || isReachable(element.parentElement));
    const texts = [...document.querySelectorAll("main *, header *, footer *")].filter(
      (element) => element.checkVisibility() && element.childElementCount === 0 && element.textContent?.trim(),
    );
    return texts
      .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 0.5 && !isReachable(element))
      .map((element) => element.outerHTML);
  });
}
