// The panel of `portalgen dev`: what editors see, what becomes of what they type, and who else may do that.
import { execFile } from "node:child_process";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Locator, Page } from "@playwright/test";
import axe from "axe-core";
import { type Dev, expect, expectSameDocument, open, type Project, test as base } from "../support/dev-portal.ts";
import { root } from "../support/portalgen.ts";
import { isMarked, mark } from "../support/test.ts";

const routes = `# the portal
[portal]
product = "Dev"
origin = "https://www.dev.example"

[site]
image = "share.png"

[[route]]   # home
path = '/'\t# first
title    =   'Home'   # a remark about the title

[[route]]
path = "/about"
title = "About"
description = "What {product} is about."

[[route]]
path = "/style"
title = "Style"
noindex = true

[[route]]
path = "/old"
redirect = "/about"

[[route]]
path = "/gone"
retired = true

[not_found]
title = "Nothing here"
`;

const test = base.extend({
  project: async ({ project }, use) => {
    await project.write("routes.toml", routes);
    await copyFile(join(root, "site/public/share.png"), project.path("site/public/share.png"));
    await use(project);
  },
});

test.use({ locale: "en-US" });

/** The console says nothing but that requests were refused, unless a server or a browser is provoked to. */
test.afterEach(({ messages }, info) => {
  if (info.tags.includes("@noisy")) return;
  expect(messages.filter((message) => !/responded with a status of 4(09|22)/.test(message))).toEqual([]);
});

/** Opens the panel at a route, and waits until it hears of changes. */
async function openPanel(page: Page, dev: Dev, path = "") {
  const connected = page.waitForEvent("websocket").then((socket) => socket.waitForEvent("framereceived"));
  await page.goto(`${dev.origin}/__portalgen/#${encodeURIComponent(path)}`);
  await expect(page.getByRole("navigation").getByRole("link").first()).toBeVisible();
  await connected;
  await mark(page);
}

function field(page: Page, name: string): Locator {
  return page.getByRole("textbox", { name, exact: true });
}

function notice(page: Page): Locator {
  return page.locator("header").getByRole("status");
}

async function save(page: Page) {
  await page.getByRole("button", { name: "Save" }).click();
}

/** What is said of a field. */
async function describedBy(locator: Locator): Promise<string> {
  return locator.evaluate((element) => {
    const ids = element.getAttribute("aria-describedby")!.split(" ");
    return ids.map((id) => document.getElementById(id)!.textContent).join("\n");
  });
}

const run = promisify(execFile);

async function git(project: Project, ...command: string[]): Promise<string> {
  const who = ["-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "core.autocrlf=false"];
  return (await run("git", ["-C", project.folder, ...who, ...command])).stdout;
}

test.describe("an edit", () => {
  test("changes that one line, and shows in pages that are open", async ({ page, context, dev, project }) => {
    await git(project, "init", "-q");
    await git(project, "add", "routes.toml");
    await git(project, "commit", "-qm", "The portal");
    const other = await context.newPage();
    await open(other, dev);
    await openPanel(page, dev, "/");
    await field(page, "Title").fill('The “best” "home"');
    await save(page);
    await expect(notice(page)).toHaveText("Saved: title of /");
    await expect(other).toHaveTitle('The “best” "home"');
    expect(await git(project, "diff", "--numstat")).toBe("1\t1\troutes.toml\n");
    const diff = await git(project, "diff", "--unified=0");
    expect(diff).toContain("-title    =   'Home'   # a remark about the title\n");
    expect(diff).toContain('+title    =   "The “best” \\"home\\""   # a remark about the title\n');
    await dev.says(/edited \/ {2}title: “Home” -> “The “best” "home"”/);
    await expectSameDocument(other);
    await expectSameDocument(page);
    expect(dev.times("updated routes.toml")).toBe(1);
  });

  test("may be of several texts at once, and of texts that are not there yet", async ({ page, dev, project }) => {
    await openPanel(page, dev, "/style");
    await field(page, "Title").fill("Styles");
    await field(page, "Description").fill("How things look.");
    await save(page);
    await expect(notice(page)).toHaveText("Saved: title of /style, description of /style");
    expect(await project.read("routes.toml")).toBe(
      routes.replace('path = "/style"\ntitle = "Style"', 'path = "/style"\ndescription = "How things look."\ntitle = "Styles"'),
    );
  });

  test("of a redirect leads to another place", async ({ page, dev, project }) => {
    await openPanel(page, dev, "/old");
    await field(page, "Leads to").fill("/style");
    await field(page, "Leads to").press("Enter");
    await expect(notice(page)).toHaveText("Saved: redirect of /old");
    expect(await project.read("routes.toml")).toBe(routes.replace('redirect = "/about"', 'redirect = "/style"'));
    await expect(page.getByRole("link", { name: "/old → /style/" })).toBeVisible();
  });

  test("that would break the portal is refused with the reason", async ({ page, dev, project }) => {
    await openPanel(page, dev, "/old");
    await field(page, "Leads to").fill("javascript:alert(1)");
    await expect(field(page, "Leads to")).toHaveAttribute("aria-invalid", "true");
    expect(await describedBy(field(page, "Leads to"))).toContain("unsafe-redirect");
    await save(page);
    await expect(notice(page)).toHaveText("Not saved");
    await expect(page.getByRole("alert").filter({ hasText: "Not saved" })).toContainText("unsafe-redirect");
    await expect(field(page, "Leads to")).toHaveValue("javascript:alert(1)");
    expect(await project.read("routes.toml")).toBe(routes);
    expect(dev.output).not.toContain("edited");
  });

  test("that changes nothing writes nothing", async ({ page, dev, project }) => {
    await openPanel(page, dev, "/");
    await expect(page.getByRole("button", { name: "Save" })).toHaveAttribute("aria-disabled", "true");
    await field(page, "Title").fill("Other");
    await expect(page.getByRole("button", { name: "Save" })).toHaveAttribute("aria-disabled", "false");
    await field(page, "Title").fill("Home");
    await field(page, "Title").press("Enter");
    await expect(page.getByRole("button", { name: "Save" })).toHaveAttribute("aria-disabled", "true");
    expect(await project.read("routes.toml")).toBe(routes);
    expect(dev.output).not.toContain("edited");
  });

  test("is undone, and so is the one before", async ({ page, dev, project }) => {
    await openPanel(page, dev, "/");
    await field(page, "Title").fill("First");
    await save(page);
    await expect(notice(page)).toHaveText("Saved: title of /");
    const between = await project.read("routes.toml");
    await page.getByRole("link", { name: /^\/about/ }).click();
    await field(page, "Description").fill("Second");
    await save(page);
    await expect(notice(page)).toHaveText("Saved: description of /about");
    await page.getByRole("button", { name: "Undo: description of /about" }).click();
    await expect(notice(page)).toHaveText("Undone: description of /about");
    expect(await project.read("routes.toml")).toBe(between);
    await page.getByRole("heading", { level: 2 }).first().focus();
    await page.keyboard.press("Control+z");
    await expect(notice(page)).toHaveText("Undone: title of /");
    expect(await project.read("routes.toml")).toBe(routes);
    await expect(page.getByRole("button", { name: "Undo" })).toHaveAttribute("aria-disabled", "true");
    await dev.says(/edited \/ {2}title: “First” -> “Home”/);
  });

  test("that somebody has changed again is not undone", async ({ page, dev, project }) => {
    await openPanel(page, dev, "/about");
    await field(page, "Title").fill("Us");
    await save(page);
    await expect(notice(page)).toHaveText("Saved: title of /about");
    await project.edit("routes.toml", '"Us"', '"Our team"');
    await expect(field(page, "Title")).toHaveValue("Our team");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "Not undone" })).toContainText("has been changed again since then");
    expect(await project.read("routes.toml")).toBe(routes.replace('"About"', '"Our team"'));
  });
});

test.describe("what is typed", () => {
  test("is judged while one types, with its width and how it will look", async ({ page, dev }) => {
    await openPanel(page, dev, "/about");
    const result = page.getByRole("figure", { name: "Search result" });
    const card = page.getByRole("figure", { name: "Social card" });
    await expect(result).toContainText("www.dev.example › about");
    await expect(result).toContainText("What Dev is about.");
    await expect(card.locator("img")).not.toHaveJSProperty("naturalWidth", 0);
    await field(page, "Title").fill("{product}：" + "关于我们".repeat(10));
    await expect.poll(() => describedBy(field(page, "Title"))).toContain("85 columns; search results cut at 60");
    await expect(result).toContainText("Dev：" + "关于我们".repeat(6) + "关于我…");
    await expect(card).toContainText("Dev：" + "关于我们".repeat(10));
    await field(page, "Title").fill("Home");
    await expect.poll(() => describedBy(field(page, "Title"))).toContain("2 pages have the title “Home”");
    await field(page, "Title").fill("{prodct}");
    await expect.poll(() => describedBy(field(page, "Title"))).toContain("there is no placeholder {prodct}");
    await field(page, "Title").fill("About");
    await expect(field(page, "Title")).toHaveAttribute("aria-invalid", "false");
  });

  test("stays while other routes are opened, and the browser asks before it is lost", { tag: "@noisy" }, async ({ page, dev, project }) => {
    await openPanel(page, dev, "/");
    await field(page, "Title").fill("Not yet");
    await page.getByRole("link", { name: /^\/about/ }).click();
    await expect(field(page, "Title")).toHaveValue("About");
    await expect(page.getByRole("link", { name: "/ Home not saved" })).toBeVisible();
    await page.goBack();
    await expect(field(page, "Title")).toHaveValue("Not yet");
    const asked = page.waitForEvent("dialog");
    const closing = page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe("beforeunload");
    await dialog.dismiss();
    await closing;
    await page.getByRole("button", { name: "Discard" }).click();
    await expect(field(page, "Title")).toHaveValue("Home");
    expect(await project.read("routes.toml")).toBe(routes);
  });

  test("stays when somebody else edits the same text, which is said", async ({ page, dev, project }) => {
    await openPanel(page, dev, "/about");
    await field(page, "Title").fill("Mine");
    await project.edit("routes.toml", '"About"', '"Theirs"');
    await expect(page.getByText("Somebody else has changed this in the meantime")).toBeVisible();
    expect(await describedBy(field(page, "Title"))).toContain("Theirs");
    await expect(field(page, "Title")).toHaveValue("Mine");
    await expect(page.getByRole("link", { name: /^\/about Theirs/ })).toBeVisible();
    await save(page);
    await expect(notice(page)).toHaveText("Saved: title of /about");
    expect(await project.read("routes.toml")).toBe(routes.replace('"About"', '"Mine"'));
    await field(page, "Title").fill("Mine again");
    await project.edit("routes.toml", '"Mine"', '"Theirs again"');
    await page.getByRole("button", { name: "Use that instead" }).click();
    await expect(field(page, "Title")).toHaveValue("Theirs again");
    await expect(field(page, "Title")).toBeFocused();
    expect(await isMarked(page)).toBe(true);
  });

  test("in another panel shows in this one", async ({ page, context, dev }) => {
    const other = await context.newPage();
    await openPanel(other, dev, "/");
    await openPanel(page, dev, "/");
    await field(other, "Title").fill("From the other panel");
    await save(other);
    await expect(field(page, "Title")).toHaveValue("From the other panel");
    await expectSameDocument(page);
  });

  test("outlives a server that is started again", { tag: "@noisy" }, async ({ page, dev, project }) => {
    await openPanel(page, dev, "/about");
    await field(page, "Title").fill("Still here");
    const port = new URL(dev.origin).port;
    await dev.stop();
    await expect(notice(page)).toContainText("portalgen dev is not running");
    await project.serve(port);
    await expect(notice(page)).not.toContainText("portalgen dev is not running");
    await save(page);
    await expect(notice(page)).toHaveText("Saved: title of /about");
    expect(await project.read("routes.toml")).toBe(routes.replace('"About"', '"Still here"'));
    await expectSameDocument(page);
  });
});

test.describe("the list", () => {
  test("has every route with what it is and what is wrong with it", async ({ page, dev }) => {
    await openPanel(page, dev);
    await expect(page.getByRole("navigation").getByRole("link")).toHaveText([
      "/Home1 warning",
      "/aboutAbout",
      "/styleStylehidden from search engines",
      "/old→ /about/redirect 301",
      "/goneretired",
      "404Nothing herenot found",
    ]);
    await page.getByRole("searchbox", { name: "Find a route" }).fill("dev is");
    await expect(page.getByRole("navigation").getByRole("link")).toHaveText(["/aboutAbout"]);
    await expect(page.getByRole("navigation").getByRole("status")).toHaveText("1 of 6 routes");
    await page.getByRole("searchbox", { name: "Find a route" }).fill("nothing like it");
    await expect(page.getByRole("navigation").getByRole("status")).toHaveText("No route matches.");
  });

  test("tells what was found when pages were rendered", async ({ page, project }) => {
    await project.write("site/pages/about.tsx", "export default function About() { throw new Error('no page today'); }\n");
    const dev = await project.serve();
    await openPanel(page, dev, "/about");
    await expect(page.getByRole("region", { name: "About this route" })).toContainText("no page today");
    await project.write("site/pages/about.tsx", "export default () => <h1>About</h1>;\n");
    await expect(page.getByRole("region", { name: "About this route" })).toHaveCount(0);
  });

  test("leads to the page, and follows routes that come and go", async ({ page, context, dev, project }) => {
    await openPanel(page, dev, "/about");
    const opened = context.waitForEvent("page");
    await page.getByRole("link", { name: "Open the page" }).click();
    await expect((await opened).getByRole("heading", { name: "About" })).toBeVisible();
    const moved = routes.replace('path = "/about"', 'path = "/us"\ncomponent = "pages/about.tsx"');
    await project.write("routes.toml", moved.replace('redirect = "/about"', 'redirect = "/us"'));
    await expect(page.getByText("/about is no longer in routes.toml.")).toBeVisible();
    await expect(page.getByRole("link", { name: /^\/us/ })).toBeVisible();
    await project.write("routes.toml", routes);
    await expect(field(page, "Title")).toHaveValue("About");
  });

  test("stays when routes.toml has a mistake, and nothing is saved until it is mended", { tag: "@noisy" }, async ({ page, dev, project }) => {
    await openPanel(page, dev, "/about");
    await field(page, "Title").fill("Us");
    const broken = routes.replace('"Style"', "“Style”");
    await project.write("routes.toml", broken);
    const alert = page.getByRole("alert").filter({ hasText: "routes.toml has a mistake" });
    await expect(alert).toContainText("these quotes are not straight quotes at routes.toml:20:9");
    await expect(page.getByRole("navigation").getByRole("link")).toHaveCount(6);
    await save(page);
    await expect(notice(page)).toHaveText("Not saved");
    expect(await project.read("routes.toml")).toBe(broken);
    await project.write("routes.toml", routes);
    await expect(alert).toHaveCount(0);
    await save(page);
    await expect(notice(page)).toHaveText("Saved: title of /about");
  });

  test("is there before a portal that starts broken is mended", async ({ page, project }) => {
    await project.write("routes.toml", routes.replace('"Style"', "“Style”"));
    const dev = await project.serve();
    await page.goto(`${dev.origin}/__portalgen/`);
    await expect(page.getByRole("alert").first()).toContainText("these quotes are not straight quotes");
    await project.write("routes.toml", routes);
    await expect(page.getByRole("navigation").getByRole("link")).toHaveCount(6);
  });
});

test.describe("without a mouse", () => {
  test("everything is done by keys", async ({ page, dev, project }) => {
    await openPanel(page, dev);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("button", { name: "中文" })).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(page.getByRole("searchbox")).toBeFocused();
    await page.keyboard.type("about");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: /^\/about/ })).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await expect(page.getByRole("link", { name: /^\/old/ })).toBeFocused();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 2, name: "/about" })).toBeFocused();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await expect(field(page, "Title")).toBeFocused();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Us");
    await page.keyboard.press("ControlOrMeta+s");
    await expect(notice(page)).toHaveText("Saved: title of /about");
    await expect(field(page, "Title")).toBeFocused();
    await page.keyboard.press("Tab");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("All of us.");
    await page.keyboard.press("Enter");
    await expect(notice(page)).toHaveText("Saved: description of /about");
    const edited = routes.replace('"About"', '"Us"').replace("What {product} is about.", "All of us.");
    expect(await project.read("routes.toml")).toBe(edited);
  });

  test("undo in a field is that of the field", async ({ page, dev, project }) => {
    await openPanel(page, dev, "/");
    await field(page, "Title").fill("First");
    await save(page);
    await expect(notice(page)).toHaveText("Saved: title of /");
    await field(page, "Title").press("End");
    await page.keyboard.type("x");
    await page.keyboard.press("ControlOrMeta+z");
    await expect(field(page, "Title")).toHaveValue("First");
    expect(await project.read("routes.toml")).toContain('"First"');
  });
});

test.describe("in Chinese", () => {
  test("everything is said in the language that was chosen, from then on", async ({ page, dev }) => {
    await openPanel(page, dev, "/about");
    await page.getByRole("button", { name: "中文" }).click();
    await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
    await expect(page).toHaveTitle("标题与描述 – portalgen dev");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("标题与描述");
    await field(page, "标题").fill("Home");
    await expect.poll(() => describedBy(field(page, "标题"))).toContain("有 2 个页面的标题都是“Home”");
    await page.getByRole("button", { name: "放弃修改" }).click();
    await page.reload();
    await expect(field(page, "标题")).toHaveValue("About");
    await page.getByRole("button", { name: "English" }).click();
    await expect(field(page, "Title")).toHaveValue("About");
  });
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [320, 699, 1280]) {
    test.describe(`at ${width} pixels, ${colorScheme}`, () => {
      test.use({ colorScheme, viewport: { width, height: 800 } });

      test("axe finds no fault, and nothing is cut off", { tag: "@noisy" }, async ({ page, dev, project }) => {
        await project.edit("routes.toml", "'Home'", `"${"关于我们 about ".repeat(8).trim()}"`);
        await openPanel(page, dev);
        for (const path of ["/", "/old", "/gone", "404"]) {
          await choose(page, path);
          await expectWellMade(page, width);
          await picture(page, `${path.replace("/", "") || "home"}-${colorScheme}-${width}`);
        }
        await choose(page, "/about");
        await field(page, "Title").fill(" wrong");
        await project.edit("routes.toml", '"About"', '"Theirs"');
        await expect(page.getByRole("button", { name: "Use that instead" })).toBeVisible();
        await save(page);
        await expect(page.getByRole("alert").filter({ hasText: "Not saved" })).toContainText("spaces around");
        await expectWellMade(page, width);
        await picture(page, `refused-${colorScheme}-${width}`);
      });
    });
  }
}

async function choose(page: Page, path: string) {
  await page.evaluate((path) => (location.hash = encodeURIComponent(path)), path);
  await expect(page.getByRole("heading", { level: 2, name: path, exact: true })).toBeVisible();
}

/** Folder for pictures, if there are to be any. */
const pictures = process.env["SCREENSHOTS"];

async function picture(page: Page, name: string) {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true, animations: "disabled" });
}

async function expectWellMade(page: Page, width: number) {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  expect(violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}: ${node.failureSummary}`))).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
}

test.describe("without packages", () => {
  test("the page says what to do, and is there once that is done", { tag: "@noisy" }, async ({ page, project }) => {
    await project.install("react-dom");
    const dev = await project.serve();
    const answer = await page.goto(`${dev.origin}/__portalgen/`);
    expect(answer!.status()).toBe(500);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("The panel cannot be shown yet");
    await expect(page.getByRole("main")).toContainText("the package react-dom, which every portal needs, is not installed");
    await expect(page.getByRole("main")).toContainText("npm install");
    await expectWellMade(page, 1280);
    await picture(page, "without-packages");
    await project.install();
    await page.getByRole("link", { name: "Try again" }).click();
    await expect(page.getByRole("navigation").getByRole("link")).toHaveCount(6);
  });
});

test.describe("nobody else", () => {
  async function tokenOf(dev: Dev): Promise<string> {
    return /"token":"([^"]+)"/.exec(await dev.fetch("/__portalgen/"))![1]!;
  }

  for (const name of ["edit", "judge", "undo"]) {
    test(`can ask for ${name} without an origin and a token`, async ({ dev, project }) => {
      const body = JSON.stringify({ path: "/", texts: [{ key: "title", text: "planted", seen: "Home" }] });
      const ask = async (headers: Record<string, string>) =>
        (await fetch(`${dev.origin}/__portalgen/panel/${name}`, { method: "POST", body, headers })).status;
      const token = await tokenOf(dev);
      const own = { origin: dev.origin, "x-portalgen-token": token };
      expect(await ask({})).toBe(403);
      expect(await ask({ "x-portalgen-token": token })).toBe(403);
      expect(await ask({ origin: dev.origin })).toBe(403);
      expect(await ask({ ...own, "x-portalgen-token": `${token}x` })).toBe(403);
      for (const origin of ["http://evil.test", "null", "http://127.0.0.1:1", "http://localhost.evil.test"]) {
        expect(await ask({ ...own, origin })).toBe(403);
      }
      expect(await project.read("routes.toml")).toBe(routes);
      expect(await ask(own)).toBe(name === "undo" ? 409 : 200);
    });
  }

  test("can put a frame around it, or run a script in it", { tag: "@noisy" }, async ({ page, dev, project }) => {
    const answer = await fetch(`${dev.origin}/__portalgen/`);
    expect(answer.headers.get("x-frame-options")).toBe("DENY");
    expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(answer.headers.get("access-control-allow-origin")).toBe(null);
    await project.edit("routes.toml", '"About"', `'</script><img src=x onerror=alert(1)>'`);
    await openPanel(page, dev, "/about");
    await expect(field(page, "Title")).toHaveValue("</script><img src=x onerror=alert(1)>");
    await expect(page.locator("img")).toHaveCount(1);
  });

  test("is sent more than a megabyte", async ({ dev, project }) => {
    const headers = { origin: dev.origin, "x-portalgen-token": await tokenOf(dev) };
    const text = "x".repeat(1 << 20);
    const body = JSON.stringify({ path: "/", texts: [{ key: "title", text, seen: "Home" }] });
    const answer = await fetch(`${dev.origin}/__portalgen/panel/edit`, { method: "POST", body, headers });
    expect(answer.status).toBe(413);
    expect(await project.read("routes.toml")).toBe(routes);
  });
});
