// Pages that a visitor opens by their address.
import { expect, hydrated, isMarked, link, mark, test } from "../support/test.ts";
import { pages } from "../support/routes.ts";

for (const { path, title } of pages) {
  const other = path === "/about/" ? "/FAQ/" : "/about/";

  test(`${path} opens in every form of its address`, async ({ page, portal }) => {
    for (const typed of portal.forms(path)) {
      await page.goto(typed);
      await hydrated(page);
      expect(page.url()).toBe(typed.endsWith(".html") ? typed : portal.url(path));
      await expect(page).toHaveTitle(title);
      await expect(page.locator("title")).toHaveCount(1);
      await expect(page.locator("h1")).toHaveCount(1);
      await expect(page.locator("h1")).not.toBeEmpty();
      await expect(page.locator("#root")).toHaveCount(1);
    }
  });

  test(`${path} keeps a query and a hash, and answers to events`, async ({ page, portal }) => {
    const behind = "?a=%E4%BD%A0&a=2#main";
    await page.goto(portal.forms(path, behind)[1]!);
    await hydrated(page);
    expect(page.url()).toBe(portal.url(`${path}${behind}`));
    await expect(page).toHaveTitle(title);
    // A link that is followed without a load shows that React handles events.
    await mark(page);
    await link(page, portal, other, "footer").click();
    await expect(page).toHaveURL(portal.url(other));
    expect(await isMarked(page)).toBe(true);
  });
}

test("nothing is announced on arrival, and the focus is left alone", async ({ page, visit }) => {
  await visit("/about/");
  await expect(page.getByRole("status")).toBeEmpty();
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
});

test("the place that a hash names is scrolled to, after a reload too", async ({ page, visit }) => {
  await visit("/whitePapers/#sources");
  await expect(page.locator("#sources-title")).toBeInViewport();
  await page.reload();
  await hydrated(page);
  await expect(page.locator("#sources-title")).toBeInViewport();
});
