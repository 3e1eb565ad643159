// The client of `portalgen dev`: its connection, updates, style sheets, and errors of the page.
import { expect, type Page } from "@playwright/test";
import type { PageError, Settings, Sheet } from "../../../crates/dev/src/client/protocol.ts";
import { applied, away, badge, dialog, exception, isMarked, mark, open, overlay, update } from "../support/dev-page.ts";
import { bundleOfPage, type DevServer, test } from "../support/dev-server.ts";

test.describe("the connection", () => {
  test("says where the page is, with the token of its document", async ({ page, dev }) => {
    await open(page, dev, "/about/?a=1");
    expect(dev.connections).toEqual(["/__portalgen/socket?token=secret"]);
    expect(dev.received).toEqual([{ type: "hello", start: "start-1", generation: 1, route: "/about", at: "/about" }]);
  });

  test("goes where the script came from, whatever stands in front of the server", async ({ page, dev }) => {
    dev.document.settings = { base: "/app/" };
    await open(page, dev, "/proxy/app/about/");
    expect(dev.connections).toEqual(["/proxy/app/__portalgen/socket?token=secret"]);
  });

  test("goes elsewhere if the server says so", async ({ page, dev }) => {
    dev.document.settings = { socket: `${dev.origin}/elsewhere` };
    await open(page, dev);
    expect(dev.connections).toEqual(["/elsewhere?token=secret"]);
  });

  test("comes back after the server was away, without a reload", async ({ page, dev }) => {
    await open(page, dev);
    await mark(page);
    await expect(away(page)).toBeHidden();
    dev.goAway();
    await expect(away(page)).toHaveText("Reconnecting to portalgen dev…");
    await expect.poll(() => dev.connections.length).toBeGreaterThan(3);
    dev.comeBack();
    await expect(away(page)).toBeHidden();
    await expect.poll(() => dev.of("hello").length).toBe(2);
    expect(await isMarked(page)).toBe(true);
    dev.send(update(2));
    await expect.poll(() => applied(page)).toHaveLength(1);
  });

  test("waits longer from attempt to attempt", async ({ page, dev }) => {
    await open(page, dev);
    dev.goAway();
    const before = dev.connections.length;
    await page.waitForTimeout(2500);
    // 0.1, 0.25, 0.5 and 1 second.
    expect(dev.connections.length - before).toBeGreaterThanOrEqual(3);
    expect(dev.connections.length - before).toBeLessThanOrEqual(5);
  });

  test("a short absence is not told", async ({ page, dev }) => {
    await open(page, dev);
    const seen = await page.evaluateHandle(() => {
      const texts: unknown[] = [];
      setInterval(() => texts.push(document.querySelector("portalgen-overlay")?.shadowRoot?.querySelector(".away:not([hidden])")?.textContent), 20);
      return texts;
    });
    dev.goAway();
    dev.comeBack();
    await expect.poll(() => dev.of("hello").length).toBe(2);
    const texts = await seen.jsonValue();
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.filter(Boolean)).toEqual([]);
  });

  test("another start of the server is one reload", async ({ page, dev }) => {
    await open(page, dev);
    await mark(page);
    dev.goAway();
    await page.waitForTimeout(300);
    expect(await isMarked(page)).toBe(true);
    dev.restart();
    dev.comeBack();
    await expect.poll(() => dev.of("hello").length).toBe(2);
    expect(await isMarked(page)).toBe(false);
    expect(dev.of("hello")[1]).toMatchObject({ start: "start-2" });
    await page.waitForTimeout(500);
    expect(dev.documents).toBe(2);
    await expect(away(page)).toBeHidden();
    dev.send(update(2));
    await expect.poll(() => applied(page)).toHaveLength(1);
  });

  test("each further start is one reload more", async ({ page, dev }) => {
    await open(page, dev);
    dev.restart();
    await expect.poll(() => dev.of("hello").length).toBe(2);
    dev.restart();
    dev.start = "start-3";
    await expect.poll(() => dev.of("hello").map(({ start }) => start)).toEqual(["start-1", "start-2", "start-3"]);
    expect(dev.documents).toBe(3);
  });

  test("a server that knows the token and is another one all the same is one reload, too", async ({ page, dev }) => {
    await open(page, dev);
    dev.goAway();
    dev.start = "start-2";
    dev.comeBack();
    await expect.poll(() => dev.of("hello").map(({ start }) => start)).toEqual(["start-1", "start-2"]);
    expect(dev.documents).toBe(2);
  });

  test("a document that stays the old one is not reloaded again and again", async ({ page, dev }) => {
    dev.kept = { start: "start-1" };
    await open(page, dev);
    dev.goAway();
    dev.start = "start-2";
    dev.comeBack();
    await expect(away(page)).toHaveText("portalgen dev has restarted; reload the page");
    await page.waitForTimeout(1000);
    await expect(away(page)).toHaveText("portalgen dev has restarted; reload the page");
    expect(dev.documents).toBe(2);
  });

  test("a server that refuses the connection and is the same is no reason to reload", async ({ page, dev }) => {
    await open(page, dev);
    dev.kept = { start: "start-1", token: "secret" };
    dev.goAway();
    dev.token = "another";
    dev.comeBack();
    await expect(away(page)).toHaveText("Reconnecting to portalgen dev…");
    await page.waitForTimeout(500);
    expect(dev.documents).toBe(1);
  });

  test("a page that comes back from the history connects again", async ({ page, dev }) => {
    await open(page, dev);
    await mark(page);
    await open(page, dev, "/about/");
    await page.goBack();
    await expect.poll(() => dev.of("hello").length).toBe(3);
    dev.send(update(2));
    await expect.poll(() => applied(page)).toHaveLength(1);
  });

  test("the server knows which page is on the screen", async ({ page, dev }) => {
    await open(page, dev);
    await page.evaluate(() => history.pushState(null, "", "/%E6%8C%87%E5%8D%97/index.html?a#b"));
    await expect.poll(() => dev.of("route")).toEqual([{ type: "route", route: "/指南", at: "/指南" }]);
    await page.evaluate(() => history.replaceState(null, "", "/%E6%8C%87%E5%8D%97/?c"));
    await page.goBack();
    await expect.poll(() => dev.of("route").map(({ route }) => route)).toEqual(["/指南", "/"]);
  });

  test("a text that is no message changes nothing", async ({ page, dev }) => {
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    await open(page, dev);
    dev.send("nonsense" as never);
    dev.send({ type: "of a later version" } as never);
    dev.send(update(2));
    await expect.poll(() => applied(page)).toHaveLength(1);
    expect(messages).toEqual(["portalgen: the dev server sent an invalid message \"nonsense\""]);
  });
});

test.describe("updates", () => {
  test("come one after the other", async ({ page, dev }) => {
    await open(page, dev);
    await page.evaluate(() => (window.hot.pause = 30));
    for (let generation = 2; generation < 8; generation++) dev.send(update(generation, { definitions: `m${generation}` }));
    await expect.poll(() => applied(page)).toHaveLength(6);
    expect((await applied(page)).flatMap(({ definitions }) => definitions)).toEqual(["m2", "m3", "m4", "m5", "m6", "m7"]);
    expect(await page.evaluate(() => window.hot.most)).toBe(1);
  });

  test("after a lost connection the page says at which generation it is", async ({ page, dev }) => {
    await open(page, dev);
    dev.send(update(2));
    await expect.poll(() => applied(page)).toHaveLength(1);
    dev.goAway();
    dev.comeBack();
    await expect.poll(() => dev.of("hello").map(({ generation }) => generation)).toEqual([1, 2]);
  });

  test("what the registry cannot apply is a reload, whose reason is told", async ({ page, dev }) => {
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    await open(page, dev);
    await page.evaluate(() => window.hot.outcomes.push({ kind: "reload", reason: "site/layout.tsx exports `theme`, which the entry imports" }));
    dev.send(update(2));
    dev.send(update(3));
    await expect.poll(() => dev.documents).toBe(2);
    await expect.poll(() => messages).toEqual(["portalgen: reloaded because site/layout.tsx exports `theme`, which the entry imports"]);
    expect(dev.of("reload")).toEqual([{ type: "reload", reason: "site/layout.tsx exports `theme`, which the entry imports" }]);
    await page.reload();
    await expect.poll(() => dev.of("hello").length).toBe(3);
    expect(messages).toHaveLength(1);
  });

  test("the server can ask for a reload", async ({ page, dev }) => {
    await open(page, dev);
    dev.send({ type: "reload", reason: "the template has changed" });
    await expect.poll(() => dev.documents).toBe(2);
  });

  test("a page that shows an error in place of the portal comes back by itself", async ({ page, dev }) => {
    dev.document.hasRegistry = false;
    await open(page, dev);
    dev.send({ type: "problems", of: "build", problems: [{ ...exception, route: undefined as never }] });
    await expect(dialog(page)).toBeVisible();
    await expect(dialog(page)).not.toContainText("last version");
    dev.document.hasRegistry = true;
    dev.send({ type: "solved" });
    dev.send(update(2));
    await expect.poll(() => dev.documents).toBe(2);
    await expect(dialog(page)).toBeHidden();
  });

  test("one that throws shows where, and the next one brings everything", async ({ page, dev }) => {
    await open(page, dev);
    await page.evaluate(() => window.hot.outcomes.push({ kind: "failed", error: "no rows" }));
    dev.send(update(2, { definitions: "a()", changed: ["a.ts", "b.ts"], removed: ["c.ts"], styles: { s: "/s.css?1" } }));
    await expect.poll(() => dev.of("error")).toHaveLength(1);
    const [error] = dev.of("error");
    expect(error).toMatchObject({ kind: "update", severity: "error", message: "no rows", route: "/" });
    expect(error!.stack).toContain("registry.js");
    dev.send({ type: "problems", of: "page", problems: [{ ...exception, id: error!.id }] });
    await expect(dialog(page)).toContainText("Update failed");
    await expect(dialog(page)).toContainText("site/components/Table.tsx:8:31");
    // The page is behind, and says so.
    dev.goAway();
    dev.comeBack();
    await expect.poll(() => dev.of("hello").map(({ generation }) => generation)).toEqual([1, 1]);
    dev.send(update(3, { definitions: "b()", changed: ["c.ts"], removed: ["b.ts"] }));
    await expect(dialog(page)).toBeHidden();
    expect((await applied(page)).at(-1)).toEqual({ definitions: ["a()", "b()"], removed: ["b.ts"] });
    dev.send(update(4, { definitions: "d()" }));
    await expect.poll(async () => (await applied(page)).at(-1)).toEqual({ definitions: ["d()"], removed: [] });
  });

  test("a registry that throws has failed", async ({ page, dev }) => {
    await open(page, dev);
    await page.evaluate(() => {
      const hot = (window as unknown as Record<symbol, { apply: unknown }>)[Symbol.for("portalgen.hot")]!;
      const { apply } = hot;
      hot.apply = () => {
        hot.apply = apply;
        throw new Error("registry");
      };
    });
    dev.send(update(2));
    await expect.poll(() => dev.of("error").map(({ message }) => message)).toEqual(["registry"]);
    dev.send(update(3));
    await expect.poll(() => applied(page)).toHaveLength(1);
  });
});

test.describe("titles", () => {
  test("are those of the page on the screen", async ({ page, dev }) => {
    await open(page, dev, "/about/");
    await page.evaluate(() => addEventListener("portalgen:title", (event) => Object.assign(window, { told: (event as CustomEvent).detail })));
    dev.send({ type: "title", route: "/", title: "Start" });
    await expect.poll(() => page.evaluate(() => Reflect.get(window, "told"))).toEqual({ route: "/", title: "Start" });
    await expect(page).toHaveTitle("Page");
    dev.send({ type: "title", route: "/about", title: "About <us> & more" });
    await expect(page).toHaveTitle("About <us> & more");
  });

  test("of the not-found page follow it to any address", async ({ page, dev }) => {
    dev.document.body = `<script type="application/json" id="portal-data">{"route":""}</script>`;
    dev.document.head = dev.document.body;
    await open(page, dev, "/no/such/page");
    expect(dev.of("hello")[0]).toMatchObject({ route: "" });
    dev.send({ type: "title", route: "", title: "Not here" });
    await expect(page).toHaveTitle("Not here");
  });
});

test.describe("style sheets", () => {
  const names = ["a", "b", "c", "d"];

  /** Each sheet says in what order it is, and colours an element of its own. */
  function write(dev: DevServer, ...keys: string[]) {
    for (const key of keys) dev.sheets[key] = `main { --last: ${key} } .${key} { color: rgb(1, 2, 3) }`;
  }

  function listOf(dev: DevServer, ...keys: string[]): Sheet[] {
    return keys.map((key) => dev.sheet(key, names.indexOf(key) * 10));
  }

  function link(dev: DevServer, roots: Settings["roots"]) {
    dev.document.settings = { roots: roots! };
    dev.document.body = `<main>${names.map((name) => `<p class="${name}">${name}</p>`).join("")}</main>`;
  }

  /** Keys of linked sheets, in their order. */
  function linked(page: Page): Promise<string[]> {
    return page.evaluate(() =>
      [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet][href]")].map(({ href }) => /(\w+)\.css/.exec(href)![1]!),
    );
  }

  function last(page: Page): Promise<string> {
    return page.evaluate(() => getComputedStyle(document.querySelector("main")!).getPropertyValue("--last"));
  }

  test("are swapped in their place, with no moment without them", async ({ page, dev }) => {
    write(dev, "a", "b");
    link(dev, { entry: listOf(dev, "a"), page: listOf(dev, "b") });
    await open(page, dev);
    await mark(page);
    await page.evaluate(() => {
      const colours = new Set<string>();
      Object.assign(window, { colours });
      const look = () => colours.add(getComputedStyle(document.querySelector(".a")!).color);
      new MutationObserver(look).observe(document.head, { childList: true });
      const next = () => (look(), requestAnimationFrame(next));
      next();
    });
    dev.sheets["a"] = "main { --last: a } .a { color: rgb(4, 5, 6) }";
    dev.send(update(2, { styles: { a: dev.sheet("a", 0).href } }));
    await expect(page.locator(".a")).toHaveCSS("color", "rgb(4, 5, 6)");
    await expect.poll(() => linked(page)).toEqual(["a", "b"]);
    expect(await last(page)).toBe("b");
    expect(await page.evaluate(() => [...(Reflect.get(window, "colours") as Set<string>)])).toEqual(["rgb(1, 2, 3)", "rgb(4, 5, 6)"]);
    expect(await isMarked(page)).toBe(true);
  });

  test("come before the code that uses them, and go after it", async ({ page, dev }) => {
    write(dev, "a", "b");
    link(dev, { entry: listOf(dev, "a") });
    await open(page, dev);
    await page.evaluate(() => {
      const hot = (window as unknown as Record<symbol, { apply: () => unknown }>)[Symbol.for("portalgen.hot")]!;
      hot.apply = () => {
        const sheets = [...document.styleSheets].map(({ href }) => /(\w+)\.css/.exec(href!)![1]);
        Object.assign(window, { atApply: sheets.sort() });
        return { kind: "applied" };
      };
    });
    dev.send(update(2, { roots: { entry: listOf(dev, "b") } }));
    await expect.poll(() => linked(page)).toEqual(["b"]);
    expect(await page.evaluate(() => Reflect.get(window, "atApply"))).toEqual(["a", "b"]);
  });

  test("go with the last root that has them, and come back in their old place", async ({ page, dev }) => {
    write(dev, "a", "b", "c");
    link(dev, { entry: listOf(dev, "a", "b"), page: listOf(dev, "b", "c") });
    await open(page, dev);
    dev.send(update(2, { roots: { entry: listOf(dev, "a") } }));
    await expect.poll(() => applied(page)).toHaveLength(1);
    expect(await linked(page)).toEqual(["a", "b", "c"]);
    dev.send(update(3, { roots: { page: listOf(dev, "c") } }));
    await expect.poll(() => linked(page)).toEqual(["a", "c"]);
    dev.send(update(4, { roots: { entry: listOf(dev, "a", "b") } }));
    await expect.poll(() => linked(page)).toEqual(["a", "b", "c"]);
    expect(await last(page)).toBe("c");
    dev.send(update(5, { roots: { page: [] } }));
    await expect.poll(() => linked(page)).toEqual(["a", "b"]);
  });

  test("of roots that are not loaded are not linked until those are", async ({ page, dev }) => {
    write(dev, "a", "b", "d");
    link(dev, { entry: listOf(dev, "b") });
    await open(page, dev);
    dev.send(update(2, { roots: { lazy: listOf(dev, "a", "d") } }));
    await expect.poll(() => applied(page)).toHaveLength(1);
    expect(await linked(page)).toEqual(["b"]);
    const old = listOf(dev, "a");
    const loading = page.evaluate((sheets) => {
      const styles = (window as unknown as Record<symbol, { load: (root: string, sheets: unknown) => Promise<void> }>)[Symbol.for("portalgen.styles")]!;
      return styles.load("lazy", sheets).then(() => getComputedStyle(document.querySelector(".d")!).color);
    }, old);
    // The list that an update told of is newer than the one that was asked for before.
    expect(await loading).toBe("rgb(1, 2, 3)");
    expect(await linked(page)).toEqual(["a", "b", "d"]);
  });

  test("that others have linked are taken over, and those of the page's own left alone", async ({ page, dev }) => {
    write(dev, "a", "b", "x");
    dev.document.head = `<link rel="stylesheet" href="${dev.sheet("a", 0).href}"><link rel="stylesheet" href="${dev.sheet("x", 0).href}">`;
    await open(page, dev);
    await page.evaluate((sheets) => Reflect.get(window, Symbol.for("portalgen.styles")).load("lazy", sheets), listOf(dev, "a", "b"));
    expect(await linked(page)).toEqual(["a", "b", "x"]);
    dev.send(update(2, { roots: { lazy: [] } }));
    await expect.poll(() => linked(page)).toEqual(["x"]);
  });

  test("that others have linked are swapped where they stand", async ({ page, dev }) => {
    write(dev, "a", "b", "c");
    link(dev, { entry: listOf(dev, "c") });
    dev.document.head = `<link rel="stylesheet" href="${dev.sheet("a", 0).href}"><link rel="stylesheet" href="${dev.sheet("b", 0).href}"><link rel="stylesheet">`;
    await open(page, dev);
    dev.sheets["a"] = ".a { color: rgb(4, 5, 6) }";
    dev.send(update(2, { styles: { a: dev.sheet("a", 0).href } }));
    await expect(page.locator(".a")).toHaveCSS("color", "rgb(4, 5, 6)");
    dev.send(update(3));
    await expect.poll(() => applied(page)).toHaveLength(2);
    expect(await linked(page)).toEqual(["c", "a", "b"]);
  });

  test("that cannot be loaded stay as they were, and are told", async ({ page, dev }) => {
    write(dev, "a", "b");
    link(dev, { entry: listOf(dev, "a", "b") });
    await open(page, dev);
    dev.lost.add("a");
    dev.sheets["a"] = ".a { color: rgb(4, 5, 6) }";
    dev.send(update(2, { styles: { a: dev.sheet("a", 0).href } }));
    await expect(badge(page)).toHaveText("1 warning");
    await expect(page.locator(".a")).toHaveCSS("color", "rgb(1, 2, 3)");
    expect(await linked(page)).toEqual(["a", "b"]);
    await badge(page).click();
    await expect(dialog(page)).toContainText("the previous version still applies");
    dev.lost.clear();
    dev.send(update(3));
    await expect(page.locator(".a")).toHaveCSS("color", "rgb(4, 5, 6)");
    await expect(badge(page)).toBeHidden();
    await expect(dialog(page)).toBeHidden();
    expect(await linked(page)).toEqual(["a", "b"]);
  });

  test("are in the order of a build after any edits", async ({ page, dev }) => {
    write(dev, ...names);
    link(dev, { entry: listOf(dev, ...names) });
    await open(page, dev);
    const random = generator(7);
    for (let round = 2; round < 30; round++) {
      const chosen = names.filter(() => random() < 0.7);
      const places = new Map(names.map((name) => [name, random()]));
      const edited = names[Math.floor(random() * names.length)]!;
      dev.sheets[edited] = `main { --last: ${edited} } /* ${round} */`;
      const sheets = chosen.map((key) => dev.sheet(key, places.get(key)!));
      dev.send(update(round, { roots: { entry: sheets }, styles: { [edited]: dev.sheet(edited, 0).href } }));
      const order = sheets.sort((a, b) => a.place - b.place).map(({ key }) => key);
      await expect.poll(() => linked(page), `round ${round}`).toEqual(order);
      await expect.poll(() => last(page)).toBe(order.at(-1) ?? "");
    }
  });

  /** Random numbers that are the same in each run. */
  function generator(seed: number): () => number {
    return () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  }
});

test.describe("errors of the page", () => {
  /** What the page tells when `script` runs in it. */
  async function told(page: Page, dev: DevServer, script: string): Promise<PageError[]> {
    await open(page, dev);
    // As code of the page: what Playwright evaluates is no part of it.
    await page.evaluate((code) => {
      const element = document.createElement("script");
      element.textContent = code;
      document.head.append(element);
    }, script);
    await page.waitForTimeout(200);
    // Messages arrive in their order, so what comes before these has arrived with them.
    await page.evaluate(() => {
      history.replaceState(null, "", "/elsewhere/");
      history.replaceState(null, "", "/");
    });
    await expect.poll(() => dev.of("route")).toHaveLength(2);
    return dev.of("error");
  }

  test("are told with their stack, and shown with the places that the server has found", async ({ page, dev }) => {
    const errors = await told(page, dev, `function Table() { undefined.rows }\nTable();`);
    expect(errors).toHaveLength(1);
    const [error] = errors;
    expect(error).toMatchObject({ kind: "error", severity: "error", causes: [], route: "/" });
    expect(error!.message).toBe("TypeError: Cannot read properties of undefined (reading 'rows')");
    expect(error!.stack).toContain("at Table (");
    await expect(dialog(page)).toBeHidden();
    dev.send({ type: "problems", of: "page", problems: [{ ...exception, id: error!.id }] });
    await expect(dialog(page)).toContainText("Error on this page");
    await expect(dialog(page).getByRole("button", { name: "Open site/components/Table.tsx:8:31" }).first()).toBeVisible();
    // The code that threw is another one now.
    dev.send(update(2));
    await expect(dialog(page)).toBeHidden();
    await expect(badge(page)).toBeHidden();
  });

  test("do not show once the code that threw is another one, however late the places are found", async ({ page, dev }) => {
    const [error] = await told(page, dev, `function Table() { undefined.rows }\nTable();`);
    dev.send(update(2));
    await expect.poll(() => applied(page)).toHaveLength(1);
    dev.send({ type: "problems", of: "page", problems: [{ ...exception, id: error!.id }] });
    dev.send({ type: "problems", of: "build", problems: [{ id: "b", severity: "error", message: "what came behind it" }] });
    await expect(dialog(page)).toContainText("what came behind it");
    await expect(dialog(page)).not.toContainText("reading 'rows'");
  });

  test("are cut where they are very long, and keep their calls", async ({ page, dev }) => {
    const errors = await told(page, dev, `function Table() { throw new Error("x".repeat(3_000_000)) }\nTable();`);
    expect(errors.map(({ message }) => message.length)).toEqual([10_000]);
    expect(errors[0]!.stack).toContain("at Table (");
  });

  test("of promises, too", async ({ page, dev }) => {
    const errors = await told(page, dev, `Promise.reject(new RangeError("outside"))`);
    expect(errors).toMatchObject([{ kind: "rejection", severity: "error", message: "RangeError: outside" }]);
  });

  test("show as they are when the server is away", async ({ page, dev }) => {
    await open(page, dev);
    dev.goAway();
    await expect(away(page)).toBeVisible();
    await page.evaluate(() => void setTimeout(() => {
      throw new Error("lonely", { cause: new Error("reason") });
    }));
    await expect(dialog(page)).toContainText("lonely");
    await expect(dialog(page)).toContainText("Caused by");
    await expect(dialog(page)).toContainText("reason");
    dev.comeBack();
    await expect.poll(() => dev.of("error").map(({ message }) => message)).toEqual(["lonely"]);
    dev.send({ type: "problems", of: "page", problems: [{ ...exception, id: dev.of("error")[0]!.id }] });
    await expect(dialog(page)).toContainText("site/components/Table.tsx:8:31");
    await expect(dialog(page)).not.toContainText("lonely");
  });

  test("that come before there is a connection are told when there is one", async ({ page, dev }) => {
    dev.document.body = `<script>addEventListener("DOMContentLoaded", () => { throw new Error("early") })</script>`;
    await open(page, dev);
    await expect.poll(() => dev.received.map(({ type }) => type)).toEqual(["hello", "error"]);
    await expect(dialog(page)).toContainText("early");
  });

  test("show as they are when the server does not answer", async ({ page, dev }) => {
    await told(page, dev, `function Table() { throw "plain" }\nTable();`);
    await expect(dialog(page)).toContainText("plain");
    const [error] = dev.of("error");
    dev.send({ type: "problems", of: "page", problems: [{ ...exception, id: error!.id }] });
    await expect(dialog(page)).toContainText("reading 'rows'");
    await expect(dialog(page)).not.toContainText("plain");
  });

  for (const [name, script, message] of [
    ["an error with a cause", `throw new Error("a", { cause: new Error("b", { cause: "c" }) })`, "a|b|c"],
    ["an AggregateError", `throw new AggregateError([new Error("x"), "y"], "all")`, "AggregateError: all|x|y"],
    ["a ring of causes", `const e = new Error("ring"); e.cause = e; throw e`, "ring"],
    ["a string", `throw "text"`, "text"],
    ["null", `Promise.reject(null)`, "null"],
    ["an object", `throw { code: 7 }`, `{"code":7}`],
    ["a getter that throws", `throw { get message() { throw 1 } }`, "The thrown value cannot be shown: reading it throws another error"],
    ["a frozen error", `throw Object.freeze(new TypeError("cold"))`, "TypeError: cold"],
    ["a proxy that throws", `throw new Proxy({}, { get() { throw 1 }, has() { throw 1 } })`, "The thrown value cannot be shown: reading it throws another error"],
    ["a symbol", `Promise.reject(Symbol("s"))`, "Symbol(s)"],
  ] as const) {
    test(`${name} is told`, async ({ page, dev }) => {
      const errors = await told(page, dev, script);
      expect(errors.map(({ message, causes }) => [message, ...causes.map((cause) => cause.message)].join("|"))).toEqual([message]);
    });
  }

  for (const [name, script] of [
    ["a notice of ResizeObserver", `new ResizeObserver(() => document.body.style.width = Math.random() * 100 + "px").observe(document.body)`],
    ["a script of another origin", `dispatchEvent(new ErrorEvent("error", { message: "Script error.", error: null }))`],
    ["an extension's script", `dispatchEvent(new ErrorEvent("error", { message: "Uncaught Error: x", filename: "chrome-extension://abc/content.js", error: new Error("x") }))`],
    [
      "an extension's rejection",
      `const error = new Error("x"); error.stack = "Error: x\\n    at moz-extension://abc/content.js:1:1\\n    at main.js:1:1"; Promise.reject(error)`,
    ],
    ["a request that was given up", `const c = new AbortController(); fetch("/", { signal: c.signal }); c.abort()`],
    ["what the page takes care of", `addEventListener("error", (event) => event.preventDefault()); throw new Error("mine")`],
    ["an image that cannot be loaded", `document.body.append(Object.assign(new Image(), { src: "data:," }))`],
  ] as const) {
    test(`${name} opens nothing`, async ({ page, dev }) => {
      expect(await told(page, dev, script)).toEqual([]);
      await expect(overlay(page).locator(":is(.pill, dialog):visible")).toHaveCount(0);
    });
  }

  test("a rejection without a reason is counted, and opens nothing", async ({ page, dev }) => {
    const errors = await told(page, dev, `Promise.reject()`);
    expect(errors).toMatchObject([{ severity: "warning", message: "A promise was rejected without a reason, and the rejection was not handled" }]);
    dev.send({ type: "problems", of: "page", problems: errors.map(({ id, severity, message }) => ({ id, severity, message })) });
    await expect(badge(page)).toHaveText("1 warning");
    await expect(dialog(page)).toBeHidden();
  });

  test("that a boundary has caught are told once, and open nothing", async ({ page, dev }) => {
    // React 18 tells them as uncaught first.
    const script = `const error = new Error("caught");
      dispatchEvent(new ErrorEvent("error", { message: "Uncaught Error: caught", error }));
      window[Symbol.for("portalgen.report")](error, { kind: "caught", path: "/", componentStack: "\\n    at Part" });`;
    const errors = await told(page, dev, script);
    expect(errors).toMatchObject([{ kind: "caught", severity: "warning", message: "caught", componentStack: "\n    at Part" }]);
  });

  test("that are the same again are told once, and no page can flood the server", async ({ page, dev }) => {
    const script = `const same = () => { throw new Error("same") };
      for (let i = 0; i < 30; i++) setTimeout(same);
      for (let i = 0; i < 200; i++) setTimeout(() => { throw new Error("no. " + i) });`;
    const errors = await told(page, dev, script);
    expect(errors.filter(({ message }) => message === "same")).toHaveLength(1);
    expect(errors.length).toBeGreaterThan(10);
    expect(errors.length).toBeLessThanOrEqual(40);
  });

  test("are not told where that is switched off", async ({ page, dev }) => {
    dev.document.settings = { pageErrors: false };
    const script = `window[Symbol.for("portalgen.report")]?.(new Error("r"), { kind: "uncaught" });
      console.error("A tree hydrated but some attributes of the server rendered HTML didn't match");
      Promise.reject(new Error("p"));
      throw new Error("x");`;
    expect(await told(page, dev, script)).toEqual([]);
    // A failed update is none of them: without it nobody would know why the page is behind.
    await page.evaluate(() => window.hot.outcomes.push({ kind: "failed", error: "top level" }));
    dev.send(update(2));
    await expect.poll(() => dev.of("error").map(({ message }) => message)).toEqual(["top level"]);
  });

  const advice = "This can happen if a SSR-ed Client Component used:\n\n- A server/client branch `if (typeof window !== 'undefined')`.\n\nhttps://react.dev/link/hydration-mismatch";

  test("differences of hydration are told with the component and both texts", async ({ page, dev }) => {
    const tree = "  <About>\n    <Clock format=\"long\">\n      <time>\n+       09:41:26\n-       08:00:00";
    const message = `Hydration failed because the server rendered text didn't match the client. As a result this tree will be regenerated on the client. ${advice}\n\n${tree}`;
    const errors = await told(page, dev, `window[Symbol.for("portalgen.report")](new Error(${JSON.stringify(message)}), { kind: "hydration", path: "/" })`);
    expect(errors).toMatchObject([
      {
        kind: "hydration",
        severity: "error",
        message: "The browser rendered something different from the prerendered HTML",
        difference: { component: "Clock", server: "08:00:00", client: "09:41:26", tree },
      },
    ]);
  });

  test("differences are no fault of pages that were edited while they loaded", async ({ page, dev }) => {
    const report = 'window[Symbol.for("portalgen.report")](new Error("Hydration failed"), { kind: "hydration", path: "/" })';
    dev.generation = 2;
    await open(page, dev);
    // The document that comes now is of the generation that the server has.
    dev.generation = 1;
    await page.evaluate(report);
    await expect.poll(() => dev.of("hello").length).toBe(2);
    expect(dev.of("reload")).toEqual([{ type: "reload", reason: "the sources were edited while the page loaded" }]);
    expect(dev.of("error")).toEqual([]);
    await page.evaluate(report);
    await expect.poll(() => dev.of("error")).toMatchObject([{ kind: "hydration" }]);
  });

  test("differences of attributes are found in the console, which still has them", async ({ page, dev }) => {
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.type()));
    const tree = "  <About>\n    <Badge>\n      <p\n+       className=\"dark\"\n-       className=\"light\"\n      >";
    const format = `A tree hydrated but some attributes of the server rendered HTML didn't match the client properties. This won't be patched up. ${advice.replace("https://react.dev/link/hydration-mismatch", "%s%s")}`;
    const script = `console.error(${JSON.stringify(format)}, "https://react.dev/link/hydration-mismatch", ${JSON.stringify(`\n\n${tree}\n`)});
      console.error("something else %s", 1);`;
    const errors = await told(page, dev, script);
    expect(errors).toMatchObject([
      { kind: "hydration", difference: { component: "Badge", server: 'className="light"', client: 'className="dark"', tree } },
    ]);
    expect(messages).toEqual(["error", "error"]);
  });

  test("differences as the site's own React tells them", async ({ page, dev }) => {
    dev.document.body = `<div id="root"><main><section><p class="light">same</p><time>08:00:00</time></section></main></div>`;
    dev.document.head = `<script type="module" src="/page.js"></script>`;
    dev.scripts["/page.js"] = await bundleOfPage(`
      import { createElement as h } from "react";
      import { hydrateRoot } from "react-dom/client";
      function Clock() { return h("time", null, "09:41:26"); }
      function Label({ tone }) { return h("p", { className: tone }, "same"); }
      function About({ children }) { return h("main", null, children); }
      const report = (error, { componentStack }) => window[Symbol.for("portalgen.report")](error, { kind: "hydration", path: "/", componentStack });
      hydrateRoot(document.getElementById("root"), h(About, null, h("section", null, h(Label, { tone: "light" }), h(Clock))), { onRecoverableError: report });
    `);
    await open(page, dev);
    await expect.poll(() => dev.of("error")).toHaveLength(1);
    expect(dev.of("error")).toMatchObject([{ kind: "hydration", difference: { component: "Clock", server: "08:00:00", client: "09:41:26" } }]);
    expect(dev.of("error")[0]!.componentStack).toContain("at Clock");
    // The text is right, so that React gets as far as telling attributes.
    dev.document.body = dev.document.body.replace("08:00:00", "09:41:26").replace("light", "dark");
    await open(page, dev);
    await expect.poll(() => dev.of("error")).toHaveLength(2);
    expect(dev.of("error")[1]).toMatchObject({
      kind: "hydration",
      message: "The browser rendered something different from the prerendered HTML",
      difference: { component: "Label", server: 'className="dark"', client: 'className="light"' },
    });
  });

  test("differences as React 18 tells them", async ({ page, dev }) => {
    const script = `console.error('Warning: Text content did not match. Server: "%s" Client: "%s"%s', "one", "two", "\\n    at Clock (x.js:1:1)\\n    at About")`;
    const errors = await told(page, dev, script);
    expect(errors).toMatchObject([{ kind: "hydration", difference: { component: "Clock", server: "one", client: "two" } }]);
  });
});
