// Routes that lead to the chat site: through the guard inside the portal, through a stub page from outside.
import type { Locator, Page } from "@playwright/test";
import { expect, hydrated, link, type Portal, settled, test } from "../support/test.ts";
import { stubs, titleOf } from "../support/routes.ts";

const carried = "?next=%2Fpay%3Fa%3D1&utm=%E4%BD%A0#step=2";

for (const { path, target } of stubs) {
  test(`a link to ${path} leaves by a full load, and Back returns`, async ({ page, portal, visit }) => {
    await visit("/about/");
    await link(page, portal, `${path}?from=footer`, "footer").click();
    await expect(page).toHaveURL(`${portal.chat.origin}${target}?from=footer`);
    expect(portal.chat.requests).toEqual([`${target}?from=footer`]);
    expect(portal.host.requests).not.toContain(new URL(portal.url(path)).pathname);
    await page.goBack();
    await expect(page).toHaveURL(portal.url("/about/"));
    await hydrated(page);
    await expect(page).toHaveTitle(titleOf("/about/"));
  });

  test(`${path} carries query and hash along, and Back skips it`, async ({ page, portal, visit }) => {
    await visit("/about/");
    await page.goto(portal.url(path + carried));
    await expect(page).toHaveURL(portal.chat.origin + target + carried);
    await page.goBack();
    await expect(page).toHaveURL(portal.url("/about/"));
    await hydrated(page);
  });

  test(`${path} never loses the query, however slow the target is`, async ({ page, portal }) => {
    for (let round = 0; round < 10; round++) {
      const release = portal.chat.hold(/./);
      await page.goto(portal.url(`${path}?round=${round}`), { waitUntil: "commit" });
      await expect.poll(() => portal.chat.requests.at(-1)).toBe(`${target}?round=${round}`);
      release();
      await expect(page).toHaveURL(`${portal.chat.origin}${target}?round=${round}`);
    }
    expect(portal.chat.requests).toEqual(Array.from({ length: 10 }, (_, round) => `${target}?round=${round}`));
  });

  test(`${path} opens in a tab of its own`, async ({ page, portal, visit }) => {
    await visit("/");
    const opened = page.context().waitForEvent("page");
    await link(page, portal, `${path}?from=footer`, "footer").click({ modifiers: ["Control"] });
    const tab = await opened;
    await expect(tab).toHaveURL(`${portal.chat.origin}${target}?from=footer`);
    expect(page.url()).toBe(portal.url("/"));
  });
}

test("a page that arrives too late does not get in the way of leaving", async ({ page, portal, visit }) => {
  await visit("/");
  const ticked = await startClock(page, portal);
  const releasePage = portal.host.hold(/\/about-[^/]*\.js/);
  const releaseChat = portal.chat.hold(/./);
  const answered = page.waitForResponse(/\/about-[^/]*\.js/);
  await link(page, portal, "/about/", "footer").click();
  await link(page, portal, "/login/?from=footer", "footer").click({ noWaitAfter: true });
  await expect.poll(() => portal.chat.requests).toEqual(["/login?from=footer"]);
  releasePage();
  await (await answered).finished();
  await ticked();
  expect(page.url()).toBe(portal.url("/"));
  releaseChat();
  await expect(page).toHaveURL(`${portal.chat.origin}/login?from=footer`);
  await page.goBack();
  await expect(page).toHaveURL(portal.url("/"));
});

/**
 * Has the page send requests all the time. Returns a function that waits until it had time to do other things, too;
 * while a navigation is under way there is no other means to know.
 */
async function startClock(page: Page, portal: Portal): Promise<() => Promise<void>> {
  await page.evaluate((url) => void setInterval(() => void fetch(url), 10), portal.url("/favicon.ico?tick"));
  const ticks = () => portal.host.requests.filter((path) => path.endsWith("?tick")).length;
  return async () => {
    const before = ticks();
    await expect.poll(ticks).toBeGreaterThan(before + 5);
  };
}

test("leaving is given up for a page that is clicked later", async ({ page, portal, visit }) => {
  await visit("/");
  const about = link(page, portal, "/about/", "header");
  const { x, y } = await middleOf(about);
  const release = portal.chat.hold(/./);
  await link(page, portal, "/sign/?from=header", "header").click({ noWaitAfter: true });
  await expect.poll(() => portal.chat.requests).toEqual(["/signUp?from=header"]);
  // Not through the link, since Playwright would wait for the other site first.
  await page.mouse.click(x, y);
  await expect(page).toHaveURL(portal.url("/about/"));
  release();
  await settled(page);
  await link(page, portal, "/FAQ/", "footer").click();
  await expect(page).toHaveURL(portal.url("/FAQ/"));
});

test("a redirecting page paints its one link and nothing else", async ({ portal, page }) => {
  for (const { path, title, target } of stubs) {
    const html = String((await portal.host.answer(portal.url(path))).body);
    const { text, links, canonical, lang } = await page.evaluate((html) => {
      const stub = new DOMParser().parseFromString(html, "text/html");
      return {
        text: stub.body.innerText.trim(),
        links: [...stub.querySelectorAll("a")].map((link) => link.getAttribute("href")),
        canonical: stub.querySelector("link[rel=canonical]")?.getAttribute("href"),
        lang: stub.documentElement.lang,
      };
    }, html);
    expect({ text, links, canonical, lang }).toEqual({
      text: title,
      links: [portal.chat.origin + target],
      canonical: portal.chat.origin + target,
      lang: "zh-CN",
    });
  }
});

async function middleOf(locator: Locator) {
  const { x, y, width, height } = (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
}
