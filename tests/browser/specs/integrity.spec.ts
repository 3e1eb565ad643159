// Browsers check scripts and style sheets by the hashes that documents have, under the policy that the build has made.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { headersOf } from "../support/portalgen.ts";
import { expect, hydrated, isMarked, link, mark, type OwnPortal, settled, test } from "../support/test.ts";

test.use({ portalName: "releases", variant: { mode: "production", base: "/", headers: "own" } });

/** Builds the portal with hashes, and has it served with the headers that it asks for. */
async function deploy(portal: OwnPortal) {
  const file = join(portal.project, "routes.toml");
  await writeFile(file, (await readFile(file, "utf8")).replace("integrity = false", "integrity = true"));
  await portal.rebuild();
  const headers = await headersOf(portal.folder);
  expect(headers["content-security-policy"]).toContain("script-src 'self' 'sha256-");
}

test("pages, their styles and their parts load and work", async ({ page, ownPortal: portal, visit }) => {
  await deploy(portal);
  await visit("/");
  await mark(page);
  await link(page, portal, "/about/").click();
  await expect(page.locator("#release")).toHaveCSS("color", "rgb(0, 128, 128)");
  const sheet = page.locator('link[rel="stylesheet"][href*="about-"]');
  await expect(sheet).toHaveAttribute("integrity", /^sha384-/);
  await link(page, portal, "/chart/").click();
  await page.getByRole("button").click();
  await expect(page.locator("#plot")).toBeVisible();
  expect(await isMarked(page)).toBe(true);
});

test.describe("what was tampered with", () => {
  const refused = /integrity|Failed to load resource|Failed to fetch dynamically imported module|could not be loaded Error: Cannot load \S+\.(css|js)/i;
  test.use({ expectedMessages: refused });

  test("a script is not run, and the page stays readable", async ({ page, ownPortal: portal, visit }) => {
    await deploy(portal);
    await visit("/");
    await page.route(/about-\w+\.js/, async (route) => {
      const answer = await portal.host.answer(route.request().url());
      await route.fulfill({ ...answer, body: `window.tampered = true;${String(answer.body)}` });
    });
    await link(page, portal, "/about/").click();
    await expect(page.locator("#release")).toBeVisible();
    await page.waitForTimeout(1000);
    await settled(page);
    expect(await page.evaluate(() => "tampered" in window)).toBe(false);
    await page.unrouteAll();
    await link(page, portal, "/chart/").click();
    await hydrated(page);
    await expect(page.locator("h1")).toHaveText("Chart");
  });

  test("a style sheet is not applied", async ({ page, ownPortal: portal, visit }) => {
    await deploy(portal);
    await visit("/");
    await page.route(/about-\w+\.css/, (route) =>
      route.fulfill({ body: "#release { color: red }", contentType: "text/css" }),
    );
    await link(page, portal, "/about/").click();
    await expect(page.locator("#release")).toBeVisible();
    await page.waitForTimeout(1000);
    await expect(page.locator("#release")).not.toHaveCSS("color", "rgb(255, 0, 0)");
  });
});
