// What is left to visitors when something throws in the browser, or a part of a page cannot be loaded.
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, hydrated, isMarked, link, mark, missingFile, type Portal, test } from "../support/test.ts";

test.use({
  portalName: "failures",
  variant: { mode: "production", base: "/", headers: "own" },
  expectedMessages: new RegExp(
    `^error: portalgen: |net::ERR_|${missingFile.source}|Failed to fetch dynamically|the handler threw|Failed to find a valid digest`,
  ),
});

interface Report {
  kind: string;
  path: string;
  message: string;
  componentStack?: string;
}

function reports(page: Page): Promise<Report[]> {
  return page.evaluate(() => (window as { reports?: Report[] }).reports ?? []);
}

/** The notice of portalgen. */
function notice(page: Page) {
  return page.getByRole("alert");
}

/** What looks as if the visitor left the page, and did not take place. */
const departures: Record<string, (page: Page) => Promise<void>> = {
  "a download": async (page) => {
    const headers = { "content-disposition": "attachment" };
    await page.route("**/report.zip", (route) => route.fulfill({ headers, body: "report" }));
    const download = page.waitForEvent("download");
    await page.evaluate(() => location.assign("/report.zip"));
    await download;
    await page.clock.fastForward(10_000);
  },
  "the way back from another site": (page) =>
    page.evaluate(() => {
      dispatchEvent(new Event("beforeunload"));
      dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    }),
};

async function expectReadable(page: Page, heading: string) {
  await expect(notice(page)).toBeVisible();
  await expect(page.locator("h1")).toHaveCount(1);
  await expect(page.locator("h1")).toHaveText(heading);
  await expect(page.locator("header")).toHaveCount(1);
  await expect(page.locator("#after")).toHaveCount(1);
}

async function expectFullLoad(page: Page, portal: Portal) {
  await mark(page);
  await link(page, portal, "/").click();
  await expect(page.locator("h1")).toHaveText("Home");
  await expect(page).toHaveTitle("Home");
  expect(await isMarked(page)).toBe(false);
  await hydrated(page);
}

test.describe("a lazy part that cannot be loaded", () => {
  for (const [name, path, rest] of [
    ["that was prerendered", "/lazy/", "#part"],
    ["of browsers only", "/client/", "#fallback"],
  ] as const) {
    test(`${name} leaves the page as it was`, async ({ page, portal }) => {
      await page.route(/Part-\w+\.js/, (route) => route.abort("blockedbyclient"));
      await page.goto(portal.url(path));
      await expectReadable(page, path === "/lazy/" ? "Lazy" : "Client");
      await expect(page.locator(rest)).toBeVisible();
      // Once by the visitor, and once for the part that was missing.
      expect(portal.host.documents.length).toBe(2);
      await expect.poll(() => reports(page)).not.toEqual([]);
      const [report] = await reports(page);
      expect(report).toMatchObject({ kind: "uncaught", path });
      expect(report?.message).toContain("dynamically imported module");
      // The layout goes on.
      await page.locator("#count").click();
      await expect(page.locator("#count")).toHaveText("1");
      await expectFullLoad(page, portal);
    });
  }

  test("at first comes at the second attempt", async ({ page, portal, visit }) => {
    await page.route(/Part-\w+\.js/, (route) => route.abort(), { times: 1 });
    await visit("/lazy/");
    await expect(async () => {
      await page.locator("#part").click();
      await expect(page.locator("#part")).toHaveText("open", { timeout: 500 });
    }).toPass();
    expect(portal.host.documents.length).toBe(1);
  });

  test("shows as it was prerendered on a page that was reached by a link", async ({ page, portal, visit }) => {
    await visit("/");
    await page.route(/Part-\w+\.js/, (route) => route.abort());
    await link(page, portal, "/lazy/").click();
    await expectReadable(page, "Lazy");
    await expect(page.locator("#part")).toHaveText("part");
    expect(portal.host.documents.filter((path) => path === "/lazy/").length).toBe(1);
  });

  for (const [departure, act] of Object.entries(departures)) {
    test(`is told of after ${departure}`, async ({ page, portal }) => {
      let attempts = 0;
      let release = () => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route(/Part-\w+\.js/, async (route) => {
        if (++attempts > 1) await released;
        await route.abort();
      });
      await page.clock.install();
      await page.goto(portal.url("/lazy/"));
      await expect.poll(() => attempts).toBe(2);
      await act(page);
      release();
      await expectReadable(page, "Lazy");
    });
  }
});

test("a page that throws while it is hydrated stays as it was prerendered", async ({ page, portal }) => {
  await page.goto(portal.url("/render/"));
  await expectReadable(page, "Render");
  await expect(page.locator("#words")).toHaveText("Words of the page");
  expect((await page.locator("main").innerText()).replace(/\s+/g, " ").trim()).toBe(
    "beforetext Render Words of the page after",
  );
  expect(portal.host.documents.length).toBe(1);
  await expect.poll(async () => (await reports(page)).map(({ kind }) => kind)).toContain("uncaught");
  const report = (await reports(page)).find(({ kind }) => kind === "uncaught");
  expect(report).toMatchObject({ path: "/render/", message: "Error: the page threw" });
  expect(report?.componentStack).toBeTruthy();
  await page.locator("#count").click();
  await expect(page.locator("#count")).toHaveText("1");
  await expectFullLoad(page, portal);
});

test("a page that throws when a link leads to it is loaded, once", async ({ page, portal, visit }) => {
  await visit("/");
  await mark(page);
  await link(page, portal, "/render/").click();
  await expectReadable(page, "Render");
  await expect(page).toHaveURL(portal.url("/render/"));
  await expect(page).toHaveTitle("Render");
  expect(await isMarked(page)).toBe(false);
  await page.waitForTimeout(500);
  expect(portal.host.documents).toEqual(["/", "/render/"]);
  await page.goBack();
  await expect(page.locator("h1")).toHaveText("Home");
  await hydrated(page);
  await page.goForward();
  await expectReadable(page, "Render");
});

test("a page whose effect throws stays", async ({ page, portal }) => {
  await page.goto(portal.url("/effect/"));
  await expectReadable(page, "Effect");
});

test("a page that throws later stays as it was last", async ({ page, portal, visit }) => {
  await visit("/");
  await link(page, portal, "/state/").click();
  await page.locator("#input").fill("typed");
  await page.locator("#add").click();
  await expect(page.locator("#add")).toHaveText("1");
  await page.locator("#add").click();
  await expectReadable(page, "State");
  await expect(page.locator("#add")).toHaveText("1");
  await expect(page.locator("#input")).toHaveValue("typed");
  expect(portal.host.documents.length).toBe(1);
  await expectFullLoad(page, portal);
});

test("what throws in an event handler or a promise takes nothing away", async ({ page, visit }) => {
  await visit("/state/");
  await page.locator("#handler").click();
  await page.locator("#add").click();
  await expect(page.locator("#add")).toHaveText("1");
  await expect(notice(page)).toHaveCount(0);
});

test("a layout that throws leaves all that showed, with links that work", async ({ page, portal, visit }) => {
  await visit("/state/");
  await page.locator("#add").click();
  await page.locator("#break").click();
  await expectReadable(page, "State");
  await expect(page.locator("#add")).toHaveText("1");
  await expectFullLoad(page, portal);
});

test("a page and then the layout around it", async ({ page, portal }) => {
  await page.goto(portal.url("/render/"));
  await expectReadable(page, "Render");
  await page.locator("#break").click();
  await expectReadable(page, "Render");
  await expect(page.locator("#words")).toHaveCount(1);
});

for (const [name, path, heading, status] of [
  ["a part for browsers only that throws", "/thrower/", "Thrower", 200],
  ["a not-found page that throws", "/no/such/page?throw", "Not found", 404],
] as const) {
  test(`${name} leaves the page as it was`, async ({ page, portal }) => {
    expect((await page.goto(portal.url(path)))?.status()).toBe(status);
    await expectReadable(page, heading);
    await expectFullLoad(page, portal);
  });
}

test("a page that throws while it is left takes nothing from the next one", async ({ page, portal, visit }) => {
  await visit("/leaving/");
  await mark(page);
  await link(page, portal, "/state/").click();
  await expect(page.locator("h1")).toHaveText("State");
  await page.locator("#add").click();
  await expect(page.locator("#add")).toHaveText("1");
  await link(page, portal, "/").click();
  await expect(page.locator("h1")).toHaveText("Home");
  expect(await isMarked(page)).toBe(true);
  await expect(notice(page)).toHaveCount(0);
  const found = async () => (await reports(page)).map(({ kind, message }) => `${kind}: ${message}`).sort();
  await expect.poll(found).toEqual([
    "caught: Error: the effect threw when the page was left",
    "caught: Error: the layout effect threw when the page was left",
  ]);
});

test("two pages that throw while they are left are no end without a page", async ({ page, portal, visit }) => {
  await visit("/leaving/");
  await link(page, portal, "/leaving/too/").click();
  await expect(page).toHaveURL(portal.url("/leaving/too/"));
  await expect.poll(() => portal.host.documents).toEqual(["/leaving/", "/leaving/too/"]);
  await hydrated(page);
  await expect(page.locator("h1")).toHaveText("Leaving");
  await expect(notice(page)).toHaveCount(0);
  await link(page, portal, "/").click();
  await expect(page.locator("h1")).toHaveText("Home");
  await page.goBack();
  await expect(page.locator("h1")).toHaveText("Leaving");
});

test("a page that throws in a layout that differs from what was prerendered leaves everything as it was", async ({
  page,
  portal,
}) => {
  await page.goto(`${portal.url("/render/")}?around`);
  await expectReadable(page, "Render");
  await expect(page.locator("#words")).toHaveCount(1);
  await expect(page.locator("main section")).toHaveCount(0);
  await expectFullLoad(page, portal);
});

test("a page that cannot be put into the document is loaded, once", async ({ page, portal, visit }) => {
  await visit("/");
  await page.evaluate(() => {
    const { insertBefore } = Node.prototype;
    Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null) {
      if (node.nodeName === "H1") throw new Error("the document threw");
      return insertBefore.call(this, node, before) as T;
    };
  });
  await mark(page);
  await link(page, portal, "/state/").click();
  await expect(page.locator("h1")).toHaveText("State");
  await hydrated(page);
  expect(await isMarked(page)).toBe(false);
  expect(portal.host.documents).toEqual(["/", "/state/"]);
});

test("the place that is read and the focus stay when a page throws", async ({ page, portal, visit }) => {
  await page.goto(portal.url("/render/"));
  await expectReadable(page, "Render");
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
  await visit("/state/");
  await page.evaluate(() => {
    document.querySelector<HTMLElement>("#after")!.style.height = "5000px";
    window.scrollTo(0, 40);
  });
  await page.locator("#add").dblclick();
  await expectReadable(page, "State");
  expect(await page.evaluate(() => window.scrollY)).toBe(40);
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe("main");
});

test("a part that never hydrates keeps the query from the page for a while only", async ({ page, portal }) => {
  await page.goto(`${portal.url("/slow/")}?a=1`);
  await expect(page.locator("#search")).toHaveText("?a=1");
  await expect(page.locator("h1")).toHaveText("Slow");
  await link(page, portal, "/state/").click();
  await expect(page.locator("h1")).toHaveText("State");
  await expect(notice(page)).toHaveCount(0);
});

test("a part that hydrates late does not give way to its fallback when the page has a query", async ({
  page,
  portal,
}) => {
  const release = portal.host.hold(/Part-\w+\.js/);
  await page.goto(`${portal.url("/lazy/")}?a=1`);
  await page.waitForTimeout(1000);
  await expect(page.locator("#part")).toHaveText("part");
  release();
  await expect(async () => {
    await page.locator("#part").click();
    await expect(page.locator("#part")).toHaveText("open", { timeout: 500 });
  }).toPass();
});

test("an error boundary of the site is told of, and shows what it likes", async ({ page, visit }) => {
  await visit("/boundary/");
  await expect(page.locator("#own")).toBeVisible();
  await expect(notice(page)).toHaveCount(0);
  const report = expect.objectContaining({ kind: "caught", path: "/boundary/" });
  await expect.poll(() => reports(page)).toContainEqual(report);
});

test.describe("the notice", () => {
  test("speaks the page's language, is small, and goes away", async ({ page, portal }) => {
    await page.setViewportSize({ width: 320, height: 568 });
    for (const [path, reload, close] of [
      ["/render/", "Reload", "Close"],
      ["/zh/", "重新加载", "关闭"],
    ] as const) {
      await page.goto(portal.url(path));
      const box = await notice(page).boundingBox();
      expect(box!.width).toBeLessThanOrEqual(320);
      expect(box!.height).toBeLessThan(160);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
      await expect(notice(page).getByRole("button", { name: reload })).toBeVisible();
      await notice(page).getByRole("button", { name: close }).click();
      await expect(notice(page)).toHaveCount(0);
    }
    await page.goto(portal.url("/render/"));
    const loaded = page.waitForEvent("load");
    await notice(page).getByRole("button", { name: "Reload" }).click();
    await loaded;
    await expectReadable(page, "Render");
  });

  test("of the site takes the place of portalgen's, unless it throws itself", async ({ page, ownPortal: portal }) => {
    const file = join(portal.project, "site/error.tsx");
    const own = await readFile(file, "utf8");
    const component = (body: string) => `${own}
export default function Notice({ error, close }: import("portalgen:error").NoticeProps) {
  ${body}
  return <div role="alert"><p id="notice">{String(error)}</p><button onClick={close}>Away</button></div>;
}
`;
    await writeFile(file, component(""));
    await portal.rebuild();
    await page.goto(portal.url("/render/"));
    await expect(page.locator("#notice")).toHaveText("Error: the page threw");
    await page.getByRole("button", { name: "Away" }).click();
    await expect(page.locator("#notice")).toHaveCount(0);
    await writeFile(file, component('throw new Error("the notice threw");'));
    await portal.rebuild();
    await page.goto(portal.url("/render/"));
    await expect(notice(page).getByRole("button", { name: "Reload" })).toBeVisible();
    await writeFile(file, 'throw new Error("error.tsx threw");\nexport {};\n');
    await portal.rebuild();
    await page.goto(portal.url("/state/"));
    await page.locator("#add").click();
    await expect(page.locator("#add")).toHaveText("1");
    await page.locator("#add").click();
    await expectReadable(page, "State");
    await rm(file);
    await portal.rebuild();
    await page.goto(portal.url("/render/"));
    await expectReadable(page, "Render");
  });
});

test("without a network, a part that is missing leaves the page as it was", async ({ page, portal }) => {
  await page.route(/Part-\w+\.js/, async (route) => {
    await page.context().setOffline(true);
    await route.abort();
  });
  await page.goto(portal.url("/lazy/"));
  await mark(page);
  await expectReadable(page, "Lazy");
  await page.locator("#part").isVisible();
  expect(await isMarked(page)).toBe(true);
});

test.describe("the style sheet of a lazy part that was prerendered", () => {
  const border = "rgb(255, 0, 0)";

  test("is linked in the document, and loaded once", async ({ page, portal, visit }) => {
    await visit("/lazy/");
    await expect(page.locator("#part")).toHaveCSS("border-top-color", border);
    await expect(async () => {
      await page.locator("#part").click();
      await expect(page.locator("#part")).toHaveText("open", { timeout: 500 });
    }).toPass();
    expect(await page.locator('link[rel="stylesheet"][href*="Part"]').count()).toBe(1);
    expect(portal.host.requests.filter((request) => /Part-\w+\.css/.test(request)).length).toBe(1);
  });

  test("is no part of pages that show it later", async ({ page, visit }) => {
    await visit("/");
    expect(await page.locator('link[rel="stylesheet"]').count()).toBe(0);
  });

  test.describe("without scripts", () => {
    test.use({ javaScriptEnabled: false });
    test("applies", async ({ page, portal }) => {
      await page.goto(portal.url("/lazy/"));
      await expect(page.locator("#part")).toHaveCSS("border-top-color", border);
      await page.goto(portal.url("/client/"));
      expect(await page.locator('link[rel="stylesheet"]').count()).toBe(0);
    });
  });
});
