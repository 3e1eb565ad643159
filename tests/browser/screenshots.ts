// Writes pictures of every page into the folder that SCREENSHOTS names. Nothing is compared.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContextOptions } from "@playwright/test";
import { missingFile, type Portal, test } from "./support/test.ts";
import { pages, stubs, unknownPath } from "./support/routes.ts";

const wide = { width: 1280, height: 800 };
const narrow = { width: 320, height: 640 };

const looks: Record<string, BrowserContextOptions> = {
  wide: { viewport: wide },
  "wide-dark": { viewport: wide, colorScheme: "dark" },
  narrow: { viewport: narrow },
  "narrow-dark": { viewport: narrow, colorScheme: "dark" },
  "without-scripts": { viewport: wide, javaScriptEnabled: false },
};

const folder = process.env["SCREENSHOTS"] ?? "screenshots";

test.use({ expectedMessages: missingFile });

for (const [look, options] of Object.entries(looks)) {
  for (const address of [...pages.map(({ path }) => path), unknownPath]) {
    test(`${address} ${look}`, async ({ browser, portal }) => {
      await take(browser, portal, address, `${nameOf(address)}-${look}.png`, options);
    });
  }
}

for (const { path } of stubs) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`${path} ${colorScheme}`, async ({ browser, portal }) => {
      const html = await readFile(join(portal.folder, path, "index.html"), "utf8");
      const context = await browser.newContext({ viewport: wide, colorScheme, javaScriptEnabled: false });
      const page = await context.newPage();
      // As it looks while its target is on its way.
      await page.setContent(html.replace(/<meta http-equiv="refresh"[^>]*>/, ""));
      await page.screenshot({ path: join(folder, `${nameOf(path)}-${colorScheme}.png`) });
      await context.close();
    });
  }
}

test("the menu", async ({ browser, portal }) => {
  const context = await browser.newContext({ viewport: narrow });
  const page = await context.newPage();
  await page.goto(portal.url("/"));
  await page.locator(".menu-button").click();
  await page.screenshot({ path: join(folder, "menu-narrow.png") });
  await context.close();
});

function nameOf(address: string): string {
  return address.split("/").filter(Boolean).join("-") || "home";
}

async function take(browser: Browser, portal: Portal, address: string, file: string, options: BrowserContextOptions) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(portal.url(address), { waitUntil: "networkidle" });
  await page.screenshot({ path: join(folder, file), fullPage: true });
  await context.close();
}
