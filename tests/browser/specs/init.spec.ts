// The portal that `portalgen init` makes, in each language.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import axe from "axe-core";
import { root } from "../support/portalgen.ts";
import type { NewPortal } from "../support/portals.ts";
import { expect, hydrated, isMarked, link, mark, missingFile, test } from "../support/test.ts";

const words = {
  en: { lang: "en", welcome: "Welcome to My Portal", about: "About us", lost: "Page not found", skip: "Skip to content" },
  zh: { lang: "zh-CN", welcome: "欢迎来到My Portal", about: "关于我们", lost: "页面不存在", skip: "跳到正文" },
};

const addresses = ["/", "/about/", "/no/such/page"];

test.use({ expectedMessages: missingFile });

test("the home page leads to the other one and back", async ({ page, portal, visit, newPortal }) => {
  const { lang, welcome, about } = wordsOf(newPortal);
  await visit("/");
  await expect(page).toHaveTitle("My Portal");
  await expect(page.locator("html")).toHaveAttribute("lang", lang);
  await expect(page.locator("h1")).toHaveText(welcome);
  await mark(page);
  await link(page, portal, "/about/", "header").click();
  await expect(page).toHaveURL(portal.url("/about/"));
  await expect(page).toHaveTitle(about);
  await expect(page.locator("h1")).toHaveText(about);
  await expect(page.locator("nav [aria-current=page]")).toHaveText(about);
  await link(page, portal, "/", "header").click();
  await expect(page.locator("h1")).toHaveText(welcome);
  expect(await isMarked(page)).toBe(true);
});

test("an unknown address shows the not-found page, which leads home", async ({ page, portal, newPortal }) => {
  const { lost, welcome } = wordsOf(newPortal);
  expect((await page.goto(portal.url("/no/such/page")))?.status()).toBe(404);
  await hydrated(page);
  await expect(page).toHaveTitle(lost);
  await link(page, portal, "/", "main").click();
  await expect(page.locator("h1")).toHaveText(welcome);
});

test("signing in leaves for the host", async ({ page, portal, visit }) => {
  await visit("/");
  await link(page, portal, "/login/", "header").click();
  await expect(page).toHaveURL(`${portal.chat.origin}/login`);
  await page.goBack();
  await expect(page).toHaveURL(portal.url("/"));
  await page.goto(portal.url("/login/?next=%2Fpay#x"));
  await expect(page).toHaveURL(`${portal.chat.origin}/login?next=%2Fpay#x`);
});

test("the first stop of the keyboard leads past the header", async ({ page, visit, newPortal }) => {
  await visit("/about/");
  await page.keyboard.press("Tab");
  const skip = page.locator(":focus");
  await expect(skip).toHaveText(wordsOf(newPortal).skip);
  await expect(skip).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
});

test("it has no mistake that TypeScript finds", async ({ portal }) => {
  const compiler = join(root, "site/node_modules/typescript/bin/tsc");
  await promisify(execFile)("node", [compiler, "--noEmit", "--project", join(portal.project, "site")]);
});

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    for (const address of addresses) {
      test(`${address} has no fault that axe can find, on wide and narrow screens`, async ({ page, visit }) => {
        await visit(address);
        expect(await faults(page)).toEqual([]);
        await page.setViewportSize({ width: 320, height: 640 });
        expect(await faults(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
      });
    }

    test("the colours are those of the screen", async ({ page, visit }) => {
      await visit("/");
      const brightness = await page.evaluate(() => {
        const channels = getComputedStyle(document.body).backgroundColor.match(/\d+/g)?.map(Number) ?? [];
        return Math.max(...channels);
      });
      if (colorScheme === "dark") expect(brightness).toBeLessThan(64);
      else expect(brightness).toBeGreaterThan(224);
    });
  });
}

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  for (const address of addresses) {
    test(`${address} is the same as hydrated`, async ({ page, portal, browser }) => {
      await page.goto(portal.url(address));
      await expect(page.locator("h1")).toBeVisible();
      const context = await browser.newContext({ javaScriptEnabled: true });
      const scripted = await context.newPage();
      await scripted.goto(portal.url(address));
      await hydrated(scripted);
      expect(await page.locator("#root").ariaSnapshot()).toBe(await scripted.locator("#root").ariaSnapshot());
      await context.close();
    });
  }

  test("links lead to pages, and out of the portal", async ({ page, portal, newPortal }) => {
    await page.goto(portal.url("/"));
    await link(page, portal, "/about/", "main").click();
    await expect(page).toHaveTitle(wordsOf(newPortal).about);
    await link(page, portal, "/login/", "header").click();
    await expect(page).toHaveURL(`${portal.chat.origin}/login`);
  });
});

function wordsOf(newPortal: NewPortal | undefined) {
  if (!newPortal) throw new Error("this spec is for projects with a new portal");
  return words[newPortal];
}

async function faults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => axe.run({ resultTypes: ["violations"] }));
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}: ${node.failureSummary}`));
}
