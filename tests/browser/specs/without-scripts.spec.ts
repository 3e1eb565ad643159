// Browsers that run no scripts.
import { expect, hydrated, link, missingFile, test } from "../support/test.ts";
import { notFoundTitle, pages, stubs, titleOf, unknownPath } from "../support/routes.ts";

test.use({ javaScriptEnabled: false, expectedMessages: missingFile });

for (const { path, title } of pages) {
  test(`${path} is readable, the same as hydrated`, async ({ page, portal, browser }) => {
    await page.goto(portal.url(path));
    await expect(page).toHaveTitle(title);
    await expect(page.locator("h1")).toBeVisible();
    const context = await browser.newContext({ javaScriptEnabled: true });
    const scripted = await context.newPage();
    await scripted.goto(portal.url(path));
    await hydrated(scripted);
    expect(await page.locator("#root").ariaSnapshot()).toBe(await scripted.locator("#root").ariaSnapshot());
    expect(await page.locator("#root").innerText()).toBe(await scripted.locator("#root").innerText());
    await context.close();
  });
}

test("links lead from page to page", async ({ page, portal }) => {
  await page.goto(portal.url("/"));
  for (const { path, title } of pages.slice(1)) {
    await link(page, portal, path, "footer").click();
    await expect(page).toHaveURL(portal.url(path));
    await expect(page).toHaveTitle(title);
  }
  await page.goBack();
  await expect(page).toHaveTitle(pages.at(-2)?.title ?? "");
});

test("questions open", async ({ page, portal }) => {
  await page.goto(portal.url("/FAQ/"));
  const question = page.locator("details").first();
  await expect(question.locator("p").first()).toBeHidden();
  await question.locator("summary").click();
  await expect(question.locator("p").first()).toBeVisible();
});

test("an unknown address shows the not-found page", async ({ page, portal }) => {
  expect((await page.goto(portal.url(unknownPath)))?.status()).toBe(404);
  await expect(page).toHaveTitle(notFoundTitle);
  await link(page, portal, "/", "main").click();
  await expect(page).toHaveTitle(titleOf("/"));
});

test("redirects lead on, and Back skips them", async ({ page, portal }) => {
  for (const { path, target } of stubs) {
    await page.goto(portal.url("/about/"));
    await link(page, portal, `${path}?from=footer`, "footer").click();
    await expect(page).toHaveURL(portal.chat.origin + target);
    await page.goBack();
    await expect(page).toHaveURL(portal.url("/about/"));
  }
});
