// Translators change the document under React's hands: before it has hydrated the page, meanwhile, and from then on.
import type { Page } from "@playwright/test";
import { expect, hydrated, isMarked, link, mark, type Portal, settled, test } from "../support/test.ts";
import { type Habit, installTranslator, showOriginal, translate } from "../support/translator.ts";

test.use({
  portalName: "failures",
  // Text that differs while a page is hydrated makes React render it anew.
  expectedMessages: /^error: portalgen: \S+ was prerendered differently/,
});

const habits: Habit[] = ["sentences", "runs", "around"];

interface Report {
  kind: string;
}

async function failures(page: Page): Promise<Report[]> {
  const reports = await page.evaluate(() => (window as { reports?: Report[] }).reports ?? []);
  return reports.filter(({ kind }) => kind !== "hydration");
}

/** Waits until a part of the page reads so, each letter of it in capitals. */
async function expectTranslated(page: Page, selector: string, text: string) {
  await expect.poll(() => textOf(page, selector)).toBe(text.toUpperCase());
}

function textOf(page: Page, selector: string): Promise<string> {
  return page.locator(selector).evaluate((element) => element.textContent!.replace(/\s+/g, " "));
}

async function expectToGoOn(page: Page, portal: Portal, expectText: typeof expectTranslated) {
  await expectText(page, "#shown", "shownbold tail");
  await page.locator("#toggle").click();
  await expectText(page, "#shown", "hidden tail");
  await page.locator("#toggle").click();
  await expectText(page, "#shown", "shownbold tail");
  for (const text of ["1 times odd", "2 times ofteneven", "3 times oftenodd"]) {
    await page.locator("#add").click();
    await expectText(page, "#counted", text);
  }
  // Faster than any translator.
  await page.locator("#add").evaluate(async (button: HTMLElement) => {
    for (let count = 0; count < 5; count++) {
      button.click();
      await Promise.resolve();
    }
  });
  await expectText(page, "#counted", "8 times ofteneven");
  await expectText(page, "#sentences", "One sentence. Another one 8.");
  await mark(page);
  await link(page, portal, "/state/").click();
  await expectText(page, "h1", "State");
  await page.locator("#add").click();
  await expect(page.locator("#add")).toHaveText("1");
  await link(page, portal, "/text/").click();
  await expectText(page, "#shown", "shownbold tail");
  await page.goBack();
  await expectText(page, "h1", "State");
  await page.goBack();
  await expectText(page, "#counted", "0 times even");
  expect(await isMarked(page)).toBe(true);
  await expect(page.getByRole("alert")).toHaveCount(0);
  expect(await failures(page)).toEqual([]);
}

for (const habit of habits) {
  test(`a page whose ${habit} are translated before it is hydrated goes on`, async ({ page, portal }) => {
    await installTranslator(page, habit, true);
    await page.goto(portal.url("/text/"));
    await hydrated(page);
    await expectTranslated(page, "h1", "Text");
    await expectToGoOn(page, portal, expectTranslated);
  });

  test(`a page whose ${habit} are translated once it is hydrated goes on, and back in its own language`, async ({
    page,
    portal,
    visit,
  }) => {
    await installTranslator(page, habit, false);
    await visit("/text/");
    await translate(page);
    await expectToGoOn(page, portal, expectTranslated);
    await showOriginal(page);
    await settled(page);
    await expectToGoOn(page, portal, async (page, selector, text) => {
      await expect.poll(() => textOf(page, selector)).toBe(text);
    });
    await translate(page);
    await expectToGoOn(page, portal, expectTranslated);
  });

  test(`a page whose ${habit} are translated while a part of it is hydrated goes on`, async ({ page, portal }) => {
    await installTranslator(page, habit, false);
    const release = portal.host.hold(/Part-\w+\.js/);
    await page.goto(portal.url("/lazy/"));
    await expect.poll(() => page.evaluate(() => Symbol.for("portalgen") in window)).toBe(true);
    await settled(page);
    await translate(page);
    await expectTranslated(page, "#part", "part");
    release();
    await expect(async () => {
      await page.locator("#part").click();
      await expectTranslated(page, "#part", "open");
    }).toPass();
    await mark(page);
    await link(page, portal, "/state/").click();
    await expectTranslated(page, "h1", "State");
    await link(page, portal, "/lazy/").click();
    await expectTranslated(page, "#part", "part");
    expect(await isMarked(page)).toBe(true);
    expect(await failures(page)).toEqual([]);
  });
}
