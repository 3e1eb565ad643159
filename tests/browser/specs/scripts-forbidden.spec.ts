// A policy that lets no script run.
import { expect, test } from "../support/test.ts";
import { pages, stubs, titleOf } from "../support/routes.ts";

test.use({
  variant: { mode: "production", base: "/", headers: { "content-security-policy": "script-src 'none'" } },
  expectedMessages: /violates the following Content Security Policy directive: "script-src 'none'"/,
});

test("pages are readable", async ({ page, portal }) => {
  for (const { path, title } of pages) {
    await page.goto(portal.url(path));
    await expect(page).toHaveTitle(title);
    await expect(page.locator("h1")).toBeVisible();
  }
});

test("redirects lead on, and Back skips them", async ({ page, portal }) => {
  for (const { path, target } of stubs) {
    await page.goto(portal.url("/about/"));
    await page.goto(portal.url(`${path}?a=1`));
    await expect(page).toHaveURL(portal.chat.origin + target);
    await page.goBack();
    await expect(page).toHaveURL(portal.url("/about/"));
    await expect(page).toHaveTitle(titleOf("/about/"));
  }
});
