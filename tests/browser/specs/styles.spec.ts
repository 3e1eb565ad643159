// Each page has style sheets of its own, which are there before the page shows.
import { expect, link, settled, test } from "../support/test.ts";
import { pages } from "../support/routes.ts";

type Observed = Window & { applied?: string[] };

test("a page does not show before its style sheet", async ({ page, portal, visit }) => {
  await visit("/");
  const heading = await page.locator("h1").innerText();
  const release = portal.host.hold(/about-\w+\.css/);
  const others = [/about\/page\.json/, /about-\w+\.js/].map((file) => page.waitForResponse(file));
  await link(page, portal, "/about/", "footer").click();
  for (const other of others) await (await other).finished();
  await expect.poll(() => portal.host.requests.some((path) => /about-\w+\.css/.test(path))).toBe(true);
  await settled(page);
  expect(page.url()).toBe(portal.url("/"));
  expect(await page.locator("h1").innerText()).toBe(heading);

  // Which style sheets are applied at the moment the new page comes, before anything can be painted. The observer
  // must be there before the answer is let go.
  await page.evaluate(() => {
    const links = () => [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")];
    const look = () => {
      (window as Observed).applied ??= links().filter((link) => link.sheet !== null).map((link) => link.href);
    };
    new MutationObserver(look).observe(document.querySelector("main")!, { childList: true });
  });
  release();
  await page.waitForFunction(() => (window as Observed).applied);
  const applied = await page.evaluate(() => (window as Observed).applied);
  expect(applied).toContainEqual(expect.stringMatching(/about-\w+\.css/));
  await expect(page).toHaveURL(portal.url("/about/"));
});

test("no style sheet is there twice, and none is missing", async ({ page, portal, visit }) => {
  await visit("/");
  const sheets = () =>
    page.locator("link[rel=stylesheet]").evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).href));
  for (const { path } of [...pages, ...pages]) {
    await link(page, portal, path, "footer").click();
    await expect(page).toHaveURL(portal.url(path));
    const present = await sheets();
    expect(new Set(present).size).toBe(present.length);
    const needed = linkedBy(String((await portal.host.answer(portal.url(path))).body));
    expect(present).toEqual(expect.arrayContaining(needed.map((href) => new URL(href, portal.url("/")).href)));
  }
  const requested = portal.host.requests.filter((path) => path.endsWith(".css"));
  expect(requested.length).toBe(new Set(requested).size);
});

function linkedBy(html: string): string[] {
  return [...html.matchAll(/<link rel="stylesheet" href="([^"]*)"/g)].map(([, href]) => href ?? "");
}

test("a page that one navigates to looks as if it had been loaded", async ({ page, portal, visit }) => {
  for (const { path } of pages) {
    await visit(path === "/about/" ? "/FAQ/" : "/about/");
    await link(page, portal, path, "footer").click();
    await expect(page).toHaveURL(portal.url(path));
    const navigated = await sizes();
    await visit(path);
    expect(navigated).toEqual(await sizes());
  }

  /** The box of every element, which no two sets of styles leave the same. What is in a drawing comes later. */
  function sizes(): Promise<string[]> {
    return page.locator("main *:not(svg *):visible").evaluateAll((elements) =>
      elements.map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const box = [x, y + scrollY, width, height].map(Math.round);
        return [element.tagName, ...box, getComputedStyle(element).fontSize].join(" ");
      }),
    );
  }
});
