// Addresses that are no route.
import { expect, hydrated, isMarked, link, mark, missingFile, test } from "../support/test.ts";
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

test("a missing file is no page", async ({ portal, request }) => {
  expect((await request.get(portal.url("/assets/none.js"))).status()).toBe(404);
});
