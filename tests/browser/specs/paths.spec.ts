// Paths with characters that mean something in a URL, in a file name, or to a router: file, link, router and host agree.
import { expect, hydrated, isMarked, mark, test } from "../support/test.ts";

test.use({ portalName: "links" });

/** Paths as links in code write them, and as they stand in an address. */
const paths = [
  ["/a b", "/a%20b/", "Space"],
  ["/c%23", "/c%23/", "Number sign"],
  ["/100%25", "/100%25/", "Per cent"],
  ["/a+b", "/a+b/", "Plus"],
  ["/x@y", "/x@y/", "At"],
  ["/legal.html", "/legal.html/", "Ending"],
  ["/apples-&-oranges", "/apples-&-oranges/", "Ampersand"],
  ["/it's/{1}", "/it's/%7B1%7D/", "Quote and braces"],
  ["/café", "/caf%C3%A9/", "Accent"],
] as const;

for (const [path, address, title] of paths) {
  test(`${path} is one page by link, by address and by reload`, async ({ page, portal, visit }) => {
    await visit("/odd/");
    const link = page.getByRole("link", { name: path, exact: true });
    const { pathname } = new URL(portal.url(address));
    expect(await link.getAttribute("href")).toBe(pathname);
    const html = String((await portal.host.answer(portal.url("/odd/"))).body);
    expect(html).toContain(`href="${pathname.replaceAll("&", "&amp;").replaceAll("'", "&#x27;")}"`);
    await mark(page);
    await link.click();
    await expect(page).toHaveTitle(title);
    expect(page.url()).toBe(portal.url(address));
    expect(await isMarked(page)).toBe(true);
    const heading = await page.locator("h1").innerText();
    await page.reload();
    await hydrated(page);
    await expect(page).toHaveTitle(title);
    expect(page.url()).toBe(portal.url(address));
    expect(await page.locator("h1").innerText()).toBe(heading);
    await page.goBack();
    await expect(page).toHaveTitle("Odd paths");
  });
}
