// The overlay of `portalgen dev`: what it shows, by which keys it is used, and how it looks.
import { expect, type Page } from "@playwright/test";
import axe from "axe-core";
import type { Problem } from "../../../crates/dev/src/client/protocol.ts";
import * as of from "../support/dev-page.ts";
import { away, badge, buildProblems, dialog, focused, open, overlay, update } from "../support/dev-page.ts";
import { type DevServer, test } from "../support/dev-server.ts";

const { syntaxError, unresolved, unknownKey, exception, mismatch } = of;

/** Opens a page whose build has failed. */
async function openBroken(page: Page, dev: DevServer, ...problems: Problem[]) {
  await open(page, dev);
  dev.send(buildProblems(...problems));
  await expect(dialog(page)).toBeVisible();
}

/** Folder for pictures, if there are to be any. */
const pictures = process.env["SCREENSHOTS"];

async function picture(page: Page, name: string) {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png`, animations: "disabled" });
}

test.describe("what shows", () => {
  test("is the message, the place, the code, advice and related places", async ({ page, dev }) => {
    await openBroken(page, dev, syntaxError);
    const shown = dialog(page);
    await expect(shown.getByRole("heading", { level: 2 })).toHaveText("<Table> is opened here and never closed");
    await expect(shown).toContainText("Build failed");
    await expect(shown).toContainText("The page shows the last version that worked");
    const code = shown.getByRole("group", { name: "Code from site/pages/about.tsx" });
    await expect(code.locator("mark")).toHaveText("<Table");
    await expect(code.locator(".marked")).toHaveAttribute("class", "line marked");
    expect(await code.locator(".caret").evaluate((caret) => getComputedStyle(caret, "::before").content)).toBe('"^^^^^^"');
    const [caret, mark] = await Promise.all([code.locator(".caret").boundingBox(), code.locator("mark").boundingBox()]);
    expect(Math.abs(caret!.x - mark!.x)).toBeLessThan(1);
    expect(Math.abs(caret!.width - mark!.width)).toBeLessThan(1);
    await expect(shown.getByRole("listitem")).toHaveText([
      "write </Table> before </main>",
      "or close it at once: <Table … />",
      "</main> closes thissite/pages/about.tsx:11:5",
    ]);
  });

  test("a click on a place has the server open it", async ({ page, dev }) => {
    await openBroken(page, dev, syntaxError);
    await dialog(page).getByRole("button", { name: "Open site/pages/about.tsx:12:7 in the editor" }).click();
    await dialog(page).getByRole("button", { name: "Open site/pages/about.tsx:11:5 in the editor" }).click();
    await expect.poll(() => dev.of("open")).toEqual([
      { type: "open", id: "b1" },
      { type: "open", id: "b1-related" },
    ]);
    dev.goAway();
    await expect(away(page)).toBeAttached();
    await dialog(page).getByRole("button", { name: "Open site/pages/about.tsx:12:7 in the editor" }).click();
    await expect(dialog(page).getByRole("status")).toHaveText("Cannot open the file: portalgen dev is not running");
  });

  test("columns count characters, and wide ones take the room of two", async ({ page, dev }) => {
    const excerpt = { line: 1, lines: ["\tconst 标题 = <h1>🎉 {product.title}</h1>;"], from: { line: 1, column: 20 }, to: { line: 1, column: 27 } };
    await openBroken(page, dev, { ...syntaxError, excerpt });
    await expect(dialog(page).locator("mark")).toHaveText("product");
    const [caret, mark] = await Promise.all([dialog(page).locator(".caret").boundingBox(), dialog(page).locator("mark").boundingBox()]);
    expect(Math.abs(caret!.x - mark!.x)).toBeLessThan(1);
  });

  test("a mark may go over several lines, be empty, or lie beyond the line's end", async ({ page, dev }) => {
    const lines = ["one two", "three", "four"];
    const several = { line: 9, lines, from: { line: 9, column: 5 }, to: { line: 11, column: 3 } };
    await openBroken(page, dev, { ...syntaxError, excerpt: several });
    await expect(dialog(page).locator("mark")).toHaveText(["two", "three", "fo"]);
    const empty = { line: 9, lines, from: { line: 10, column: 6 }, to: { line: 10, column: 6 } };
    dev.send(buildProblems({ ...syntaxError, excerpt: empty }));
    await expect(dialog(page).locator("mark")).toHaveCount(0);
    expect(await dialog(page).locator(".caret").evaluate((caret) => getComputedStyle(caret, "::before").content)).toBe('"^"');
    const beyond = { line: 9, lines, from: { line: 10, column: 99 }, to: { line: 10, column: 120 } };
    dev.send(buildProblems({ ...syntaxError, excerpt: beyond }));
    await expect(dialog(page).locator(".caret")).toBeAttached();
  });

  test("calls in packages are folded", async ({ page, dev }) => {
    await open(page, dev);
    dev.send({ type: "problems", of: "page", problems: [exception] });
    const stack = dialog(page).locator("section", { hasText: "Call stack" });
    await expect(stack.locator("> ol > li")).toHaveText([/^Table/, /^2 calls in react-dom/, /^About/]);
    await expect(stack.getByText("renderWithHooks")).toBeHidden();
    await stack.getByText("2 calls in react-dom").click();
    await expect(stack.getByText("renderWithHooks")).toBeVisible();
    await expect(dialog(page)).toContainText("RangeError: no data for 2031");
    await dialog(page).getByRole("button", { name: "Open site/data.ts:4:9 in the editor" }).click();
    await expect.poll(() => dev.of("open")).toEqual([{ type: "open", id: "f3" }]);
  });

  test("a difference of hydration has both texts and the component", async ({ page, dev }) => {
    await open(page, dev);
    dev.send({ type: "problems", of: "page", problems: [mismatch] });
    await expect(dialog(page)).toContainText("In the component <Clock>");
    await expect(dialog(page).locator(".server pre")).toHaveText("Updated at 08:00:00");
    await expect(dialog(page).locator(".client pre")).toHaveText("Updated at 09:41:26");
    await expect(dialog(page).locator(".client mark")).toHaveText("09:41:26");
    await dialog(page).getByText("Component tree").click();
    await expect(dialog(page).locator(".added")).toHaveText("+       Updated at 09:41:26");
    await expect(dialog(page).locator(".removed")).toHaveText("-       Updated at 08:00:00");
  });

  test("text of others is text", async ({ page, dev }) => {
    const evil = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>`;
    const place = { file: `site/${evil}.tsx`, line: 1, column: 1, id: evil };
    await openBroken(page, dev, {
      id: evil,
      severity: "error",
      message: evil,
      place,
      excerpt: { line: 1, lines: [evil], from: { line: 1, column: 1 }, to: { line: 1, column: 5 } },
      hints: [evil],
      related: [{ message: evil, place }],
      stack: [{ name: evil, place, package: evil }],
      causes: [{ message: evil, stack: [{ name: evil }] }],
      difference: { component: evil, server: evil, client: `${evil}!`, tree: `+ ${evil}` },
    }, unresolved);
    await expect(dialog(page).getByRole("heading", { level: 2 })).toHaveText(evil);
    expect(await overlay(page).evaluate((host) => host.shadowRoot!.querySelectorAll("img, script").length)).toBe(0);
    await expect(page).toHaveTitle("Page");
  });

  test("is in Chinese where people are addressed in it", async ({ page, dev }) => {
    dev.document.settings = { language: "zh" };
    await openBroken(page, dev, { ...syntaxError, message: "`<Table>` 在这里打开，却没有关闭" }, unresolved, unknownKey);
    await expect(overlay(page)).toHaveAttribute("lang", "zh-CN");
    await expect(dialog(page)).toContainText("构建失败");
    await expect(dialog(page)).toContainText("1 / 3");
    await expect(dialog(page).getByRole("button", { name: "在编辑器中打开 site/pages/about.tsx:12:7" })).toBeVisible();
    await picture(page, "chinese");
    await page.keyboard.press("Escape");
    await expect(badge(page)).toHaveText("2 个错误 · 1 个警告");
  });

  test("no sentence is left in English in Chinese", async ({ page, dev }) => {
    dev.document.settings = { language: "zh" };
    await open(page, dev);
    const all = { ...exception, ...mismatch, stack: exception.stack!, causes: exception.causes!, hints: ["改"], related: syntaxError.related!, id: "all" };
    dev.send({ type: "problems", of: "page", problems: [all, { id: "w", severity: "warning", message: "警告" }] });
    const words = await dialog(page).evaluate((dialog) => {
      const texts: string[] = [];
      const walker = document.createTreeWalker(dialog, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement!;
        if (!parent.closest("code, pre, .place, .code, .where, .title, .short, .where, h2, .cause, .related")) texts.push(walker.currentNode.textContent!);
      }
      return texts.concat([...dialog.querySelectorAll("[aria-label]")].map((element) => element.getAttribute("aria-label")!));
    });
    const foreign = words.map((text) => text.replace(/react-dom|portalgen dev|Esc|site\/\S+/g, "")).filter((text) => /[a-z]{2}/i.test(text));
    expect(foreign).toEqual([]);
  });
});

test.describe("when it opens and closes", () => {
  test("it goes when the problems are solved, and a new build's take the place of the old", async ({ page, dev }) => {
    await openBroken(page, dev, syntaxError, unresolved);
    dev.send(buildProblems(unresolved));
    await expect(dialog(page).getByRole("heading", { level: 2 })).toHaveText(/^cannot find/);
    await expect(dialog(page).locator("nav")).toBeHidden();
    dev.send({ type: "solved" });
    await expect(dialog(page)).toBeHidden();
    await expect(badge(page)).toBeHidden();
    await expect(overlay(page).getByRole("status").filter({ hasText: "fixed" })).toHaveText("All problems are fixed");
  });

  test("errors of the build, of rendering and of the page are apart", async ({ page, dev }) => {
    await openBroken(page, dev, syntaxError);
    dev.send({ type: "problems", of: "render", problems: [{ ...exception, id: "render" }] });
    dev.send({ type: "problems", of: "page", problems: [mismatch] });
    await expect(dialog(page)).toContainText("1 of 3");
    dev.send({ type: "solved", of: "build" });
    await expect(dialog(page)).toContainText("1 of 2");
    dev.send({ type: "solved" });
    await expect(dialog(page).locator(".pager")).toBeHidden();
    await expect(dialog(page)).toContainText("Hydration mismatch");
    dev.send(update(2));
    await expect(dialog(page)).toBeHidden();
  });

  test("what was closed stays closed while it is the same", async ({ page, dev }) => {
    await openBroken(page, dev, syntaxError);
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toBeHidden();
    await expect(badge(page)).toHaveText("1 error");
    dev.send(buildProblems(syntaxError, unknownKey));
    await expect(badge(page)).toHaveText("1 error · 1 warning");
    await expect(dialog(page)).toBeHidden();
    dev.send(buildProblems(syntaxError, unresolved));
    await expect(dialog(page)).toBeVisible();
    await page.keyboard.press("Escape");
    dev.send({ type: "solved" });
    await expect(badge(page)).toBeHidden();
    // The same mistake once more is another one.
    dev.send(buildProblems(syntaxError));
    await expect(dialog(page)).toBeVisible();
  });

  test("warnings are a count, which shows them", async ({ page, dev }) => {
    await open(page, dev);
    dev.send(buildProblems(unknownKey, { id: "n", severity: "note", message: "a note" }));
    await expect(badge(page)).toHaveText("1 warning · 1 note");
    await expect(dialog(page)).toBeHidden();
    await picture(page, "badge-warnings");
    await badge(page).click();
    await expect(dialog(page)).toHaveRole("dialog");
    await expect(dialog(page)).toContainText("descripton");
  });

  test("a page that does not show opens nothing until one goes there", async ({ page, dev }) => {
    await open(page, dev);
    dev.send({ type: "problems", of: "render", problems: [{ ...exception, route: "/about" }] });
    await expect(badge(page)).toHaveText("1 error");
    await expect(dialog(page)).toBeHidden();
    await page.evaluate(() => history.pushState(null, "", "/about/"));
    await expect(dialog(page)).toContainText("on /about");
    await expect(dialog(page)).toContainText("Prerendering failed");
  });

  test("a press beside the panel closes it, a selection that ends there does not", async ({ page, dev }) => {
    await openBroken(page, dev, syntaxError);
    const heading = (await dialog(page).getByRole("heading", { level: 2 }).boundingBox())!;
    await page.mouse.move(heading.x + 5, heading.y + 5);
    await page.mouse.down();
    await page.mouse.move(20, 700);
    await page.mouse.up();
    await expect(dialog(page)).toBeVisible();
    await page.mouse.click(20, 700);
    await expect(dialog(page)).toBeHidden();
  });
});

test.describe("by keyboard", () => {
  test("the place has the focus, Tab stays inside, and the focus returns", async ({ page, dev }) => {
    dev.document.body = `<button id="own">own</button><input id="field">`;
    await open(page, dev);
    await page.locator("#field").focus();
    dev.send(buildProblems(syntaxError));
    await expect.poll(() => focused(page)).toBe("Open site/pages/about.tsx:12:7 in the editor");
    const round: string[] = [];
    for (let i = 0; i < 8; i++) {
      round.push(await focused(page));
      await page.keyboard.press("Tab");
    }
    const expected = [
      "Open site/pages/about.tsx:12:7 in the editor",
      "Code from site/pages/about.tsx",
      "Open site/pages/about.tsx:11:5 in the editor",
      "Close",
    ];
    expect(round).toEqual([...expected, ...expected]);
    await page.keyboard.press("Shift+Tab");
    expect(await focused(page)).toBe("Close");
    await page.keyboard.press("Shift+Tab");
    expect(await focused(page)).toBe("Open site/pages/about.tsx:11:5 in the editor");
    await page.keyboard.press("Enter");
    await expect.poll(() => dev.of("open")).toEqual([{ type: "open", id: "b1-related" }]);
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toBeHidden();
    await expect(page.locator("#field")).toBeFocused();
    await page.keyboard.type("go on");
    await expect(page.locator("#field")).toHaveValue("go on");
  });

  test("the focus returns when the problems are solved, too", async ({ page, dev }) => {
    dev.document.body = `<input id="field">`;
    await open(page, dev);
    await page.locator("#field").focus();
    dev.send(buildProblems(syntaxError));
    await expect(dialog(page)).toBeVisible();
    dev.send({ type: "solved" });
    await expect(page.locator("#field")).toBeFocused();
  });

  test("the badge opens it and has the focus afterwards", async ({ page, dev }) => {
    await openBroken(page, dev, syntaxError);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("1 error: show details");
    await page.keyboard.press("Enter");
    await expect(dialog(page)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(badge(page)).toBeFocused();
  });

  test("arrows move between problems", async ({ page, dev }) => {
    await openBroken(page, dev, syntaxError, unresolved, unknownKey);
    const heading = dialog(page).getByRole("heading", { level: 2 });
    await page.keyboard.press("ArrowRight");
    await expect(heading).toHaveText(/^cannot find/);
    await expect(dialog(page)).toContainText("2 of 3");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await expect(heading).toHaveText(/^<Table>/);
    await page.keyboard.press("ArrowLeft");
    await expect(heading).toHaveText(/^descripton/);
    await expect(dialog(page).locator("nav [aria-current=true]")).toContainText("descripton");
    // Within the list, all arrows move the focus along.
    await dialog(page).locator("nav button").first().focus();
    await page.keyboard.press("ArrowDown");
    await expect(dialog(page).locator("nav button").first()).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await expect(heading).toHaveText(/^cannot find/);
    await expect(dialog(page).locator("nav button").nth(1)).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await expect(heading).toHaveText(/^<Table>/);
  });

  test("arrows scroll in code", async ({ page, dev }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await openBroken(page, dev, syntaxError, unresolved);
    const code = dialog(page).locator(".code");
    await code.focus();
    for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowRight");
    await expect.poll(() => code.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);
    await expect(dialog(page).getByRole("heading", { level: 2 })).toHaveText(/^<Table>/);
  });

  test("keys do not reach the page", async ({ page, dev }) => {
    dev.document.body = `<script>document.addEventListener("keydown", (event) => window.keys = (window.keys ?? "") + event.key)</script>`;
    await openBroken(page, dev, syntaxError);
    await page.keyboard.press("k");
    await page.keyboard.press("Escape");
    expect(await page.evaluate(() => Reflect.get(window, "keys"))).toBeUndefined();
  });

  test("the focus stays where it is when problems come and go", async ({ page, dev }) => {
    await openBroken(page, dev, syntaxError, unresolved);
    await dialog(page).getByRole("button", { name: "Next problem" }).focus();
    dev.send(buildProblems(syntaxError, unresolved, unknownKey));
    await expect(dialog(page)).toContainText("1 of 3");
    expect(await focused(page)).toBe("Next problem");
    dev.send(buildProblems(unknownKey));
    await expect(dialog(page).getByRole("heading", { level: 2 })).toHaveText(/^descripton/);
    expect(await focused(page)).toBe("Open routes.toml:14:1 in the editor");
  });
});

test.describe("for screen readers", () => {
  test("it is an alert with a name and the message", async ({ page, dev }) => {
    await openBroken(page, dev, syntaxError, unresolved);
    await expect(dialog(page)).toHaveRole("alertdialog");
    await expect(dialog(page)).toHaveAccessibleName("Problems found by portalgen dev");
    await expect(dialog(page)).toHaveAccessibleDescription("<Table> is opened here and never closed");
    await expect(dialog(page)).toMatchAriaSnapshot(`
      - alertdialog "Problems found by portalgen dev":
        - text: portalgen dev
        - button "Previous problem"
        - text: 1 of 2
        - button "Next problem"
        - button "Close"
        - navigation "All problems":
          - list
        - article:
          - heading "<Table> is opened here and never closed" [level=2]
          - button "Open site/pages/about.tsx:12:7 in the editor"
          - group "Code from site/pages/about.tsx": /here/
          - heading "What to do" [level=3]
    `);
  });
});

for (const [look, options] of [
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
] as const) {
  test.describe(`in ${look} colours`, () => {
    test.use(options);

    for (const width of [1280, 320]) {
      test(`no fault that axe can find at ${width} pixels`, async ({ page, dev }) => {
        await page.setViewportSize({ width, height: 720 });
        await openBroken(page, dev, syntaxError, unresolved, unknownKey, { id: "n", severity: "note", message: "a `note`" });
        await picture(page, `build-${look}-${width}`);
        for (let i = 0; i < 4; i++) {
          expect(await faults(page)).toEqual([]);
          await page.keyboard.press("ArrowRight");
        }
        dev.send({ type: "solved" });
        dev.send({ type: "problems", of: "page", problems: [exception, mismatch] });
        await expect(dialog(page)).toContainText("rows");
        await dialog(page).locator("summary").first().click();
        expect(await faults(page)).toEqual([]);
        await picture(page, `exception-${look}-${width}`);
        await dialog(page).locator(".title").click();
        await page.keyboard.press("ArrowRight");
        await dialog(page).getByText("Component tree").click();
        expect(await faults(page)).toEqual([]);
        await picture(page, `difference-${look}-${width}`);
        await page.keyboard.press("Escape");
        dev.goAway();
        await expect(away(page)).toBeVisible();
        expect(await faults(page)).toEqual([]);
        await picture(page, `badge-${look}-${width}`);
      });
    }
  });
}

async function faults(page: Page): Promise<string[]> {
  await page.waitForTimeout(200);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => axe.run({ include: [["portalgen-overlay"]] } as never, { resultTypes: ["violations"] }));
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}: ${node.failureSummary}`));
}

test.describe("on a screen of 320 pixels", () => {
  test.use({ viewport: { width: 320, height: 640 } });

  for (const [name, problem] of Object.entries({ syntaxError, unresolved, exception: { ...exception, route: "/" }, mismatch })) {
    test(`nothing is cut off: ${name}`, async ({ page, dev }) => {
      const long = { file: `site/${"a-rather-long-folder/".repeat(3)}${"Name".repeat(12)}.tsx`, line: 120, column: 45 };
      await openBroken(page, dev, { ...problem, place: long, message: `${problem.message} \`${"x".repeat(80)}\`` }, unresolved);
      for (const details of await dialog(page).locator("summary").all()) await details.click();
      await picture(page, `narrow-${name}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
      const cut = await dialog(page).evaluate((dialog) => {
        const inCode = (element: Element) => element.closest(".code") && !element.matches(".code");
        const all = [...dialog.querySelectorAll("*")].filter((element) => element.checkVisibility() && !inCode(element));
        const sideways = [...all, dialog].filter((element) => !element.matches(".code, .unseen") && element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline");
        const outside = all.filter((element) => element.getBoundingClientRect().right > innerWidth || element.getBoundingClientRect().left < 0);
        return [...sideways, ...outside].map((element) => element.outerHTML.slice(0, 120));
      });
      expect(cut).toEqual([]);
    });
  }

  test("it fits a low screen: what is too much scrolls, and the bar stays", async ({ page, dev }) => {
    await page.setViewportSize({ width: 320, height: 256 });
    await openBroken(page, dev, syntaxError);
    await expect(dialog(page).getByRole("button", { name: "Close" })).toBeInViewport();
    const content = dialog(page).locator(".content");
    expect(await content.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)).toBe(true);
    await dialog(page).locator(".related button").scrollIntoViewIfNeeded();
    await expect(dialog(page).locator(".related button")).toBeInViewport();
  });
});

test.describe("in colours of the reader's own", () => {
  test.use({ contextOptions: { forcedColors: "active" } });

  test("marks and borders are seen", async ({ page, dev }) => {
    await openBroken(page, dev, syntaxError, unresolved);
    await picture(page, "forced");
    const colours = await dialog(page).evaluate((dialog) => {
      const style = (selector: string) => getComputedStyle(dialog.querySelector(selector)!);
      return { mark: style("mark").backgroundColor, line: style(".marked").backgroundColor, border: style(".panel").borderTopWidth };
    });
    expect(colours.mark).not.toBe(colours.line);
    expect(colours.border).toBe("1px");
  });
});

test.describe("whatever the page is like", () => {
  test("no policy of the site keeps it from showing", async ({ page, dev }) => {
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    dev.document.headers = { "content-security-policy": "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'" };
    await openBroken(page, dev, syntaxError, unresolved);
    await expect(dialog(page).locator(".panel")).toHaveCSS("border-radius", "12px");
    await expect(dialog(page).locator(".number").first()).toHaveCSS("border-right-style", "solid");
    expect(messages).toEqual([]);
  });

  test("the site's styles do not reach it", async ({ page, dev }) => {
    dev.document.head = `<style>
      * { all: unset !important; display: none !important; }
      html, body { display: block !important; font-size: 40px !important; line-height: 3 !important; letter-spacing: 1em !important; direction: rtl !important; }
      portalgen-overlay, portalgen-overlay * { opacity: 0 !important; transform: scale(2) !important; color: red !important; }
    </style>`;
    await openBroken(page, dev, syntaxError);
    const panel = dialog(page).locator(".panel");
    await expect(panel).toBeVisible();
    await expect(panel).toHaveCSS("font-size", "15px");
    await expect(panel).toHaveCSS("letter-spacing", "normal");
    await expect(panel).toHaveCSS("direction", "ltr");
    await expect(overlay(page)).toHaveCSS("opacity", "1");
    await picture(page, "hostile");
  });

  test("it is above a modal dialog of the page, and usable there", async ({ page, dev }) => {
    dev.document.body = `<dialog id="own"><button id="inside">inside</button></dialog>`;
    await open(page, dev);
    await page.evaluate(() => document.querySelector<HTMLDialogElement>("#own")!.showModal());
    dev.send(buildProblems(syntaxError));
    await dialog(page).getByRole("button", { name: "Close" }).click();
    await expect(dialog(page)).toBeHidden();
    await expect(page.locator("#inside")).toBeFocused();
  });

  test("a page that throws away its body keeps it", async ({ page, dev }) => {
    await openBroken(page, dev, syntaxError);
    await page.evaluate(() => document.body.replaceWith(document.createElement("body")));
    await expect(dialog(page)).toBeVisible();
    await page.evaluate(() => document.querySelector("portalgen-overlay")!.remove());
    dev.send(buildProblems(unresolved));
    await expect(dialog(page)).toBeVisible();
  });

  test("nothing of it moves for those who want that", async ({ page, dev }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await openBroken(page, dev, syntaxError);
    await expect(dialog(page).locator(".panel")).toHaveCSS("animation-name", "none");
    await page.keyboard.press("Escape");
    dev.goAway();
    await expect(away(page).locator(".dot")).toHaveCSS("animation-name", "none");
  });

  test("it leaves no trace while there is nothing to say", async ({ page, dev }) => {
    await open(page, dev);
    await expect(overlay(page).locator(":is(.pill, dialog):visible")).toHaveCount(0);
    expect(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true);
  });
});
