// How the repository's own portal looks and guides: contents lists, copy, mail addresses, colours, motion.
import type { Page } from "@playwright/test";
import { expect, missingFile, scrollY, settled, test } from "../support/test.ts";
import { pages, unknownPath } from "../support/routes.ts";

test.use({ expectedMessages: missingFile });

const addresses = [...pages.map(({ path }) => path), unknownPath];

for (const { path, list } of [
  { path: "/PlatformTCs/", list: "nav[aria-labelledby=contents-title]" },
  { path: "/privacyPolicy/", list: "nav[aria-labelledby=contents-title]" },
  { path: "/whitePapers/", list: "nav[aria-labelledby=contents-title]" },
  { path: "/FAQ/", list: "nav[aria-labelledby=contents-title]" },
  { path: "/LanyuAI/", list: ".itinerary" },
]) {
  test(`the contents list of ${path} marks the section that is being read`, async ({ page, visit }) => {
    await visit(path);
    const targets = await page.locator(`${list} a`).evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    expect(targets.length).toBeGreaterThan(3);
    const marked = page.locator(`${list} [aria-current]`);
    for (const target of targets) {
      await page.locator(`${list} a[href="${target}"]`).click();
      await expect(marked).toHaveCount(1);
      await expect(marked).toHaveAttribute("href", target ?? "");
      await expect(marked).toHaveAttribute("aria-current", "location");
    }
    await page.evaluate(() => window.scrollTo({ top: 0 }));
    await expect(marked).toHaveAttribute("href", targets[0] ?? "");
  });
}

test("at the end of a page the last section is marked, however high the window", async ({ page, visit }) => {
  await page.setViewportSize({ width: 1280, height: 2000 });
  await visit("/PlatformTCs/");
  await page.evaluate(() => window.scrollTo({ top: document.documentElement.scrollHeight }));
  await expect(page.locator("nav[aria-labelledby=contents-title] [aria-current]")).toHaveAttribute("href", "#contact");
});

test("the whole contents list of the longest page is in view while one reads", async ({ page, visit }) => {
  await visit("/PlatformTCs/");
  await page.evaluate(() => window.scrollTo({ top: 2000 }));
  await settled(page);
  expect(await scrollY(page)).toBe(2000);
  const box = await page.locator("nav[aria-labelledby=contents-title] li").last().boundingBox();
  expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(800);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("contents lists claim no place, and lead to the sections", async ({ page, portal }) => {
    await page.goto(portal.url("/PlatformTCs/"));
    await expect(page.locator("nav[aria-labelledby=contents-title] a")).toHaveCount(15);
    await expect(page.locator("nav[aria-labelledby=contents-title] [aria-current]")).toHaveCount(0);
    await page.locator('nav[aria-labelledby=contents-title] a[href="#contact"]').click();
    await expect(page.locator("#contact h2")).toBeInViewport();
  });
});

test("every mail address is a link to write to it", async ({ page, visit }) => {
  let count = 0;
  for (const { path } of pages) {
    await visit(path);
    const found = await page.evaluate(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: { address: string; href: string | undefined }[] = [];
      while (walker.nextNode()) {
        const text = walker.currentNode;
        for (const [address] of text.nodeValue?.matchAll(/[\w.-]+@[\w-]+(\.[\w-]+)+/g) ?? []) {
          found.push({ address, href: text.parentElement?.closest("a")?.href });
        }
      }
      return found;
    });
    for (const { address, href } of found) expect(href, `${address} on ${path}`).toBe(`mailto:${address}`);
    count += found.length;
  }
  expect(count).toBe(10);
});

test("the image of the hero is fetched before others", async ({ page, visit }) => {
  await visit("/");
  await expect(page.locator(".hero img")).toHaveAttribute("fetchpriority", "high");
  await expect(page.locator("img[fetchpriority=high]")).toHaveCount(1);
});

test("no two pages share the drawing of their head", async ({ page, visit }) => {
  const drawings: string[] = [];
  for (const { path } of pages.filter(({ path }) => path !== "/")) {
    await visit(path);
    drawings.push(await page.locator("main header").evaluate((head) => getComputedStyle(head, "::after").backgroundImage));
  }
  for (const drawing of drawings) expect(drawing).toMatch(/^url\(.+\.svg"\)$/);
  expect(new Set(drawings).size).toBe(drawings.length);
});

test("the product in use is one picture with a description", async ({ page, visit }) => {
  await visit("/");
  const picture = page.getByRole("img", { name: "租房合同" });
  await expect(picture).toBeVisible();
  expect(await page.locator("figure", { has: picture }).ariaSnapshot()).not.toContain("新对话");
});

test("motion follows the scrolling, and comes to rest", async ({ page, visit }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.setViewportSize({ width: 1280, height: 600 });
  await visit("/");
  const names = () => page.evaluate(() => document.getAnimations().map((one) => (one as CSSAnimation).animationName));
  expect(new Set(await names())).toEqual(new Set(["picture-mark"]));
  expect(await marking(page)).toBe("0% 100%");
  await page.locator(".picture").evaluate((picture) => picture.scrollIntoView({ block: "start" }));
  await expect.poll(() => marking(page)).toBe("100% 100%");
});

test("whoever wants less motion gets none, and the finished picture", async ({ page, visit }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const path of addresses) {
    await visit(path);
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  }
  await visit("/");
  expect(await marking(page)).toBe("100% 100%");
});

/** How much of a marked sentence is marked. */
function marking(page: Page): Promise<string> {
  return page.locator(".picture-marked").first().evaluate((mark) => getComputedStyle(mark).backgroundSize);
}

test("the two ways in are equally wide where they stand one above the other", async ({ page, visit }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await visit("/");
  for (const actions of await page.locator(".actions").all()) {
    const widths = await actions.locator("a").evaluateAll((links) => links.map((link) => link.getBoundingClientRect().width));
    expect(widths).toHaveLength(2);
    expect(widths[0]).toBe(widths[1]);
    expect(widths[0]).toBe((await actions.boundingBox())?.width);
  }
});

for (const width of [320, 390, 768, 1280]) {
  test(`no paragraph ends in a stub at ${width} pixels`, async ({ page, visit }) => {
    await page.setViewportSize({ width, height: 800 });
    for (const path of addresses) {
      await visit(path);
      await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
      expect(await stubs(page), path).toEqual([]);
      // Browsers without `text-wrap` rely on what keeps the last characters together.
      await page.evaluate(() => {
        const rules = new CSSStyleSheet();
        rules.replaceSync("* { text-wrap-style: auto !important }");
        document.adoptedStyleSheets = [rules];
      });
      expect(await stubs(page, ":is(header, .section-head) p, .prose > p"), `${path} without text-wrap`).toEqual([]);
    }
  });
}

/** Paragraphs of several lines with one or two characters on the last. */
function stubs(page: Page, selector = "h1, h2, h3, p, li, dt, dd, figcaption, summary"): Promise<string[]> {
  return page.evaluate((selector) => {
    const isBlock = (element: Element) => getComputedStyle(element).display !== "inline";
    const leaves = [...document.querySelectorAll(selector)].filter(
      (element) => element.checkVisibility() && ![...element.querySelectorAll("*")].some((child) => isBlock(child) && !child.matches(".phrase")),
    );
    const lastLine = (element: Element) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const lines = [""];
      let bottom: number | undefined;
      while (walker.nextNode()) {
        const text = walker.currentNode;
        if (text.parentElement?.closest("sup, .picture-number")) continue;
        for (let index = 0; index < (text.nodeValue?.length ?? 0); index++) {
          const range = new Range();
          range.setStart(text, index);
          range.setEnd(text, index + 1);
          const box = range.getClientRects()[0];
          if (!box?.width) continue;
          if (bottom !== undefined && box.bottom > bottom + box.height / 2) lines.push("");
          bottom = box.bottom;
          lines[lines.length - 1] += range.toString();
        }
      }
      return lines.length > 1 ? lines.at(-1) : undefined;
    };
    return leaves.flatMap((leaf) => {
      const last = lastLine(leaf);
      const isStub = last !== undefined && (last.match(/[\p{L}\p{N}]/gu) ?? []).length <= 2;
      return isStub ? [`${leaf.outerHTML}: ${last}`] : [];
    });
  }, selector);
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`text stands out from all that is behind it in ${colorScheme} colours, gradients too`, async ({ page, visit }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const path of addresses) {
      await visit(path);
      const { faint, judged } = await contrasts(page);
      expect(judged, path).toBeGreaterThan(20);
      expect(faint, path).toEqual([]);
    }
  });
}

/** Texts with less contrast than WCAG 2 asks of level AA, by the colours of the nearest background. */
function contrasts(page: Page): Promise<{ faint: string[]; judged: number }> {
  return page.evaluate(() => {
    const parse = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = (color: string) => {
      const [red = 0, green = 0, blue = 0] = parse(color).map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const contrast = (one: string, other: string) => {
      const [dark = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
      return (bright + 0.05) / (dark + 0.05);
    };
    const behind = (element: Element | null): string[] => {
      if (!element) return ["rgb(255, 255, 255)"];
      const { backgroundColor, backgroundImage, backgroundSize } = getComputedStyle(element);
      const fills = backgroundImage.startsWith("linear-gradient") && ["auto", "100% 100%"].includes(backgroundSize);
      if (fills) return backgroundImage.match(/rgb\([^)]*\)/g) ?? [];
      return parse(backgroundColor)[3] === 0 ? behind(element.parentElement) : [backgroundColor];
    };
    const ownText = (element: Element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
    const texts = [...document.querySelectorAll("body *")].filter(
      (element) => ownText(element) && element.checkVisibility() && !element.closest("svg, script, style, .visually-hidden, .skip-link"),
    );
    const faint = texts.flatMap((element) => {
      const { color, fontSize, fontWeight } = getComputedStyle(element);
      const isLarge = parseFloat(fontSize) >= (Number(fontWeight) >= 700 ? 18.66 : 24);
      const worst = Math.min(...behind(element).map((background) => contrast(color, background)));
      return worst < (isLarge ? 3 : 4.5) ? [`${worst.toFixed(2)}: ${element.outerHTML}`] : [];
    });
    return { faint, judged: texts.length };
  });
}
