// `portalgen dev` from end to end: what shows after an edit, what is kept, and what is told.
import { execFile } from "node:child_process";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { badge, dialog, overlay } from "../support/dev-page.ts";
import { colorOf, countLoads, countTo, type Dev, expect, expectSameDocument, open, type Project, test } from "../support/dev-portal.ts";
import { root } from "../support/portalgen.ts";
import { hydrated, mark } from "../support/test.ts";

declare global {
  interface Window {
    /** What modules and components of a test have noted. */
    notes: string[];
  }
}

/** For sources of tests. */
const note = "((text: string) => ((globalThis as any).notes ??= []).push(text))";

function notes(page: Page): Promise<string[]> {
  return page.evaluate(() => window.notes ?? []);
}

async function expectCounts(page: Page, counts: Record<string, number>) {
  for (const [id, count] of Object.entries(counts)) await expect(page.locator(`#${id}`)).toHaveText(String(count));
}

/** The heading of what is shown of a problem. */
function problem(page: Page) {
  return dialog(page).getByRole("heading", { level: 2 });
}

/** Nothing is wrong any more. */
async function expectSolved(page: Page) {
  await expect(dialog(page)).not.toBeVisible();
  await expect(badge(page)).not.toBeVisible();
}

test.describe("state is kept", () => {
  test("when a page changes", async ({ page, dev, project }) => {
    await open(page, dev);
    await countTo(page, "header", 3);
    await countTo(page, "page", 2);
    await project.edit("site/pages/index.tsx", "<h1>Home", "<h1>Home again");
    await expect(page.locator("h1")).toHaveText("Home again");
    await expectCounts(page, { header: 3, page: 2 });
    await expectSameDocument(page);
    await dev.says(/updated site\/pages\/index\.tsx in [\d.]+ ms/);
  });

  test("when a component two levels below a page changes", async ({ page, dev, project }) => {
    await open(page, dev);
    await countTo(page, "page", 2);
    await countTo(page, "label", 4);
    await project.edit("site/components/Label.tsx", ">Label<", ">Other label<");
    await expect(page.locator("#text")).toHaveText("Other label");
    await expectCounts(page, { page: 2, label: 4 });
    await expectSameDocument(page);
  });

  test("when the layout or something in it changes", async ({ page, dev, project }) => {
    await open(page, dev);
    await countTo(page, "header", 3);
    await countTo(page, "page", 2);
    await project.edit("site/components/Header.tsx", "<b>Header", "<b>Other header");
    await expect(page.locator("header b")).toHaveText("Other header");
    await project.edit("site/layout.tsx", "<main>", '<main id="main">');
    await expect(page.locator("#main")).toBeAttached();
    await expectCounts(page, { header: 3, page: 2 });
    await expectSameDocument(page);
  });

  test("except of a component whose hooks change", async ({ page, dev, project }) => {
    await open(page, dev);
    for (const id of ["header", "page", "panel", "label"]) await countTo(page, id, 2);
    await project.edit("site/components/Label.tsx", "useState(0);", "useState(0);\n  useState(1);");
    await expectCounts(page, { label: 0 });
    await expectCounts(page, { header: 2, page: 2, panel: 2 });
    await project.edit("site/components/Label.tsx", "useState(0);", "useState(10);");
    await expectCounts(page, { label: 10 });
    await expectCounts(page, { header: 2, page: 2, panel: 2 });
    await expectSameDocument(page);
  });

  test("when one moves on to another page and the one before has changed", async ({ page, dev, project }) => {
    await open(page, dev);
    await countTo(page, "header", 2);
    await page.getByRole("link", { name: "About" }).click();
    await expect(page.locator("h1")).toHaveText("About");
    await project.edit("site/pages/index.tsx", "<h1>Home", "<h1>Home again");
    await dev.says(/updated site\/pages\/index\.tsx/);
    await page.getByRole("link", { name: "Home" }).click();
    await expect(page.locator("h1")).toHaveText("Home again");
    await expectCounts(page, { header: 2 });
    await expectSameDocument(page);
  });
});

test.describe("modules that are not only components", () => {
  test("a page that exports a constant", async ({ page, dev, project }) => {
    await open(page, dev, "/about/");
    await countTo(page, "header", 3);
    await project.edit("site/pages/about.tsx", "<h1>About", "<h1>About us");
    await expect(page.locator("h1")).toHaveText("About us");
    await project.edit("site/pages/about.tsx", "rows: 20", "rows: 30");
    await expect(page.locator("#rows")).toHaveText("30 rows");
    await expectCounts(page, { header: 3 });
    await expectSameDocument(page);
  });

  test("a context with its provider is never of two versions", async ({ page, dev, project }) => {
    await open(page, dev, "/theme/");
    await expect(page.locator("#theme")).toHaveText("theme of colour 0");
    await page.evaluate(() => {
      const look = () => (window.notes ??= []).push(document.querySelector("#theme")?.textContent ?? "");
      new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
    });
    for (let step = 1; step <= 10; step++) {
      await project.edit("site/theme.tsx", step === 1 ? "`theme of" : `\`theme ${step - 1} of`, `\`theme ${step} of`);
      await expect(page.locator("#theme")).toHaveText(`theme ${step} of colour ${step - 1}`);
      await project.edit("site/colors.ts", `colour ${step - 1}`, `colour ${step}`);
      await expect(page.locator("#theme")).toHaveText(`theme ${step} of colour ${step}`);
    }
    expect(await notes(page)).not.toContain("no theme");
    await expectSameDocument(page);
  });

  test("a nameless default export keeps its identity", async ({ page, project }) => {
    await project.write(
      "site/components/Nameless.tsx",
      `import { useEffect, useState } from "react";
       export default function () {
         const [count, setCount] = useState(0);
         useEffect(() => { ${note}("mount"); return () => void ${note}("unmount"); }, []);
         return <p>one <button id="nameless" onClick={() => setCount(count + 1)}>{count}</button></p>;
       }`,
    );
    await project.write(
      "site/pages/play.tsx",
      `import { useEffect, useState } from "react";
       import Nameless from "../components/Nameless";
       export default function () {
         const [ticks, setTicks] = useState(0);
         useEffect(() => { const timer = setInterval(() => setTicks((ticks) => ticks + 1), 30); return () => clearInterval(timer); }, []);
         return <><h1>Play</h1><output>{ticks}</output><Nameless /></>;
       }`,
    );
    const dev = await project.serve();
    await open(page, dev, "/play/");
    await countTo(page, "nameless", 2);
    await expect.poll(async () => Number(await page.locator("output").innerText())).toBeGreaterThan(20);
    expect(await notes(page)).toEqual(["mount"]);
    await project.edit("site/components/Nameless.tsx", "<p>one", "<p>two");
    await expect(page.locator("p")).toContainText("two");
    await project.edit("site/pages/play.tsx", "<h1>Play", "<h1>Played");
    await expect(page.locator("h1")).toHaveText("Played");
    await expectCounts(page, { nameless: 2 });
    expect(Number(await page.locator("output").innerText())).toBeGreaterThan(20);
    await expectSameDocument(page);
  });

  test("a page may be written in any way, and go from one to another", async ({ page, project }) => {
    const ways: [string, string, string][] = [
      ["", "export default function () {", "}"],
      ["", "export default () => {", "}"],
      ["", "const play = () => {", "};\nexport default play;"],
      ['import { memo } from "react";', "export default memo(() => {", "});"],
      ['import { memo } from "react";', "function Play() {", "}\nexport default memo(Play);"],
      ["", "export default function play() {", "}"],
      ['import { forwardRef } from "react";', "export default forwardRef(function Play() {", "});"],
    ];
    const text = ([imported, before, behind]: [string, string, string], number: number, hook = "") =>
      `import { Counter } from "../components/Counter";\nimport { useState } from "react";\n${imported}\n${before}
       ${hook} const [count] = useState(${number});
       return <><h1>Play {count}</h1><p>text ${number}</p><Counter id="play" /></>;\n${behind}`;
    await project.write("site/pages/play.tsx", text(ways[0]!, 0));
    const dev = await project.serve();
    await open(page, dev, "/play/");
    await countTo(page, "header", 1);
    let number = 0;
    for (const way of ways) {
      await project.write("site/pages/play.tsx", text(way, ++number));
      await expect(page.locator("p")).toHaveText(`text ${number}`);
      await countTo(page, "play", 2);
      await project.write("site/pages/play.tsx", text(way, ++number).replace(`useState(${number})`, `useState(${number - 1})`));
      await expect(page.locator("p")).toHaveText(`text ${number}`);
      await expectCounts(page, { play: 2 });
      await project.write("site/pages/play.tsx", text(way, ++number, "useState(0);"));
      await expect(page.locator("p")).toHaveText(`text ${number}`);
      await expect(page.locator("h1")).toHaveText(`Play ${number}`);
    }
    await expectCounts(page, { header: 1 });
    await expectSameDocument(page);
  });

  test("memo: comparers come, change and go", async ({ page, project }) => {
    const row = (exported: string) =>
      `import { memo } from "react";
       function Row({ number }: { number: number }) { return <p id="row">row {number}</p>; }
       export default ${exported};`;
    await project.write("site/components/Row.tsx", row("memo(Row, () => true)"));
    await project.write(
      "site/pages/play.tsx",
      `import { useState } from "react";
       import Row from "../components/Row";
       export default function Play() {
         const [count, setCount] = useState(0);
         return <><h1>Play</h1><button id="play" onClick={() => setCount(count + 1)}>{count}</button><Row number={count} /></>;
       }`,
    );
    const dev = await project.serve();
    await open(page, dev, "/play/");
    await countTo(page, "play", 1);
    await expect(page.locator("#row")).toHaveText("row 0");
    await project.write("site/components/Row.tsx", row("memo(Row)"));
    await expect(page.locator("#row")).toHaveText("row 1");
    await countTo(page, "play", 2);
    await expect(page.locator("#row")).toHaveText("row 2");
    await project.write("site/components/Row.tsx", row("memo(Row, () => true)").replace("row {", "line {"));
    await expect(page.locator("#row")).toHaveText("line 2");
    await countTo(page, "play", 3);
    await expect(page.locator("#row")).toHaveText("line 2");
    await project.write("site/components/Row.tsx", row("memo(Row, (a, b) => b.number % 2 === 1)").replace("row {", "line {"));
    await dev.says(/(updated site\/components\/Row\.tsx[\s\S]*){3}/);
    await countTo(page, "play", 4);
    await expect(page.locator("#row")).toHaveText("line 4");
    await countTo(page, "play", 5);
    await expect(page.locator("#row")).toHaveText("line 4");
    await expectCounts(page, { play: 5 });
    await expectSameDocument(page);
  });

  test("lazy: what is behind it may be wrapped, and its caller may change", async ({ page, project }) => {
    const chart = (imported: string, exported: string, text: string) =>
      `${imported}\nfunction Chart() { return <p id="chart">${text}</p>; }\nexport default ${exported};`;
    await project.write("site/components/Chart.tsx", chart("", "Chart", "plain"));
    await project.write(
      "site/pages/play.tsx",
      `import { lazy, Suspense, useState } from "react";
       const Chart = lazy(() => import("../components/Chart"));
       function Fallback() { ${note}("fallback"); return <p>Loading</p>; }
       export default function Play() {
         const [count, setCount] = useState(0);
         return <><h1>Play</h1><button id="play" onClick={() => setCount(count + 1)}>{count}</button>
           <Suspense fallback={<Fallback />}><Chart /></Suspense></>;
       }`,
    );
    const dev = await project.serve();
    await open(page, dev, "/play/");
    await countTo(page, "play", 2);
    const steps: [string, string, string][] = [
      ['import { memo } from "react";', "memo(Chart)", "memo"],
      ['import { forwardRef } from "react";', "forwardRef(Chart)", "forwardRef"],
      ['import { memo } from "react";', "memo(Chart)", "memo again"],
      ["", "Chart", "plain again"],
    ];
    for (const [imported, exported, text] of steps) {
      await project.write("site/components/Chart.tsx", chart(imported, exported, text));
      await expect(page.locator("#chart")).toHaveText(text);
      await expectCounts(page, { play: 2 });
    }
    await page.evaluate(() => void (window.notes = []));
    await project.edit("site/pages/play.tsx", "<h1>Play", "<h1>Played");
    await expect(page.locator("h1")).toHaveText("Played");
    await expect(page.locator("#chart")).toHaveText("plain again");
    expect(await notes(page)).toEqual([]);
    await expectCounts(page, { play: 2 });
    await expectSameDocument(page);
  });

  test("lazy: what is behind it goes and comes back", async ({ page, project }) => {
    const chart = (text: string) => `export default function Chart() { return <p id="chart">${text}</p>; }`;
    const play = (imports: string, shown: string) =>
      `import { lazy, Suspense, useState } from "react";
       ${imports}
       export default function Play() {
         const [count, setCount] = useState(0);
         return <><h1>Play</h1><button id="play" onClick={() => setCount(count + 1)}>{count}</button>
           <Suspense fallback="…">${shown}</Suspense>{void [lazy]}</>;
       }`;
    const without = play("", `<i id="none">none</i>`);
    const used = play(`const Chart = lazy(() => import("../components/Chart"));`, "<Chart />");
    await project.write("site/components/Chart.tsx", chart("first"));
    await project.write("site/pages/play.tsx", used);
    const dev = await project.serve();
    await open(page, dev, "/play/");
    await expect(page.locator("#chart")).toHaveText("first");
    await countTo(page, "play", 2);
    for (const text of ["first", "second", "third"]) {
      await project.write("site/pages/play.tsx", without);
      await expect(page.locator("#none")).toBeVisible();
      await project.write("site/components/Chart.tsx", chart(text));
      await project.write("site/pages/play.tsx", used);
      await expect(page.locator("#chart")).toHaveText(text);
    }
    await project.write("site/components/Chart.tsx", chart("fourth"));
    await expect(page.locator("#chart")).toHaveText("fourth");
    await expectCounts(page, { play: 2 });
    await expectSameDocument(page);
  });

  test("a ring of components", async ({ page, project, messages }) => {
    const part = (name: string, other: string) =>
      `import { ${other} } from "./${other}";
       import { useState } from "react";
       const made = ((component: unknown) => typeof component)(${other});
       export function ${name}({ isInner }: { isInner?: boolean }) {
         const [count, setCount] = useState(0);
         return <div><i id="${name}-text">${name} 0 {made}</i><button id="${name}" onClick={() => setCount(count + 1)}>{count}</button>
           {!isInner && <${other} isInner />}</div>;
       }`;
    await project.write("site/components/Left.tsx", part("Left", "Right"));
    await project.write("site/components/Right.tsx", part("Right", "Left"));
    await project.write(
      "site/pages/play.tsx",
      'import { Left } from "../components/Left";\nexport default function Play() { return <><h1>Play</h1><Left /></>; }',
    );
    const dev = await project.serve();
    await open(page, dev, "/play/");
    await countTo(page, "Left", 2);
    for (const step of [1, 2, 3]) {
      for (const name of ["Left", "Right"]) {
        await project.edit(`site/components/${name}.tsx`, `${name} ${step - 1}`, `${name} ${step}`);
        await expect(page.locator(`#${name}-text`)).toHaveText(`${name} ${step} function`);
      }
    }
    await expectCounts(page, { Left: 2 });
    await expectSameDocument(page);
    expect(messages.filter((message) => /^(error|uncaught)/.test(message))).toEqual([]);
  });

  test("what throws when it is applied shows, and the next save applies everything", async ({ page, dev, project }) => {
    await open(page, dev);
    await countTo(page, "page", 2);
    await project.editTogether(
      ["site/components/Label.tsx", ">Label<", ">Other label<"],
      ["site/components/Panel.tsx", "export function", 'if (typeof window === "object") throw new Error("thrown by the panel");\nexport function'],
      ["site/pages/index.tsx", "<h1>Home", "<h1>Home again"],
    );
    await expect(problem(page)).toContainText("thrown by the panel");
    await expect(page.locator("h1")).toHaveText("Home");
    await project.edit("site/components/Panel.tsx", 'if (typeof window === "object") throw new Error("thrown by the panel");\n', "");
    await expect(page.locator("h1")).toHaveText("Home again");
    await expect(page.locator("#text")).toHaveText("Other label");
    await expectCounts(page, { page: 2 });
    await expectSolved(page);
    await expectSameDocument(page);
  });

  test("import.meta.hot: dispose, on, data, prune", async ({ page, project }) => {
    await project.write(
      "site/timer.ts",
      `const note = ${note};
       const hot = (import.meta as any).hot;
       note("run 0 " + (hot?.data.rounds ?? "none"));
       hot?.dispose((data: any) => { data.rounds = (data.rounds ?? 0) + 1; note("first"); });
       hot?.dispose(() => note("second"));
       hot?.on("vite:afterUpdate", () => note("heard"));
       hot?.prune(() => note("pruned"));
       export const timer = 0;`,
    );
    await project.write(
      "site/pages/play.tsx",
      'import { timer } from "../timer";\nexport default function Play() { return <h1>Play {timer}</h1>; }',
    );
    const dev = await project.serve();
    await open(page, dev, "/play/");
    expect(await notes(page)).toEqual(["run 0 none"]);
    await project.edit("site/timer.ts", "run 0", "run 1");
    await expect.poll(() => notes(page)).toEqual(["run 0 none", "first", "second", "run 1 1", "heard"]);
    await page.evaluate(() => void (window.notes = []));
    await project.write("site/pages/play.tsx", "export default function Play() { return <h1>Played</h1>; }");
    await expect(page.locator("h1")).toHaveText("Played");
    await expect.poll(() => notes(page)).toEqual(["first", "second", "pruned"]);
    await project.edit("site/pages/play.tsx", "Played", "Played on");
    await expect(page.locator("h1")).toHaveText("Played on");
    expect(await notes(page)).toEqual(["first", "second", "pruned"]);
    await expectSameDocument(page);
  });

  test("modules that hand an update to each other come to an end", async ({ page, project }) => {
    const part = (other: string) =>
      `import { name as other } from "./${other}";
       const hot = (import.meta as any).hot;
       hot?.accept(() => hot.invalidate());
       export const name = () => "0" + typeof other;`;
    await project.write("site/a.ts", part("b"));
    await project.write("site/b.ts", part("a"));
    await project.write(
      "site/pages/play.tsx",
      'import { name } from "../a";\nexport default function Play() { return <h1>Play {name()}</h1>; }',
    );
    const dev = await project.serve();
    await open(page, dev, "/play/");
    const loads = countLoads(page);
    await project.edit("site/a.ts", '"0"', '"1"');
    await expect(page.locator("h1")).toHaveText("Play 1function");
    await page.waitForTimeout(500);
    expect(loads()).toBeLessThanOrEqual(1);
  });

  test("import.meta.hot: imports that a module accepts, saved together", async ({ page, project }) => {
    const part = (name: string) =>
      `const hot = (import.meta as any).hot;\nhot?.dispose(() => ${note}("dispose ${name}"));\nexport const ${name} = "${name} 0";`;
    await project.write("site/a.ts", part("a"));
    await project.write("site/b.ts", part("b"));
    await project.write(
      "site/pages/play.tsx",
      `import { a } from "../a";
       import { b } from "../b";
       const hot = (import.meta as any).hot;
       hot?.accept("../a", (module: any) => ${note}("accepted " + module.a));
       hot?.accept("../b", (module: any) => ${note}("accepted " + module.b));
       export default function Play() { return <h1>{a} {b}</h1>; }`,
    );
    const dev = await project.serve();
    await open(page, dev, "/play/");
    for (let step = 1; step <= 3; step++) {
      await page.evaluate(() => void (window.notes = []));
      await project.editTogether(
        ["site/a.ts", `a ${step - 1}`, `a ${step}`],
        ["site/b.ts", `b ${step - 1}`, `b ${step}`],
      );
      await expect.poll(async () => (await notes(page)).sort()).toEqual([`accepted a ${step}`, `accepted b ${step}`, "dispose a", "dispose b"]);
    }
    await expectSameDocument(page);
  });

  test("a barrel", async ({ page, project }) => {
    await project.write("site/components/Logo.tsx", 'export function Logo() { return <i id="logo">Logo</i>; }');
    await project.write("site/components/index.ts", 'export { Label } from "./Label";\nexport { Logo } from "./Logo";\nexport * from "./Panel";\n');
    await project.edit("site/layout.tsx", "<Header />", "<Header /><Logo />");
    await project.edit("site/layout.tsx", 'import { Header }', 'import { Logo } from "./components";\nimport { Header }');
    await project.write(
      "site/pages/play.tsx",
      'import { Label } from "../components";\nexport default function Play() { return <><h1>Play</h1><Label /></>; }',
    );
    const dev = await project.serve();
    await open(page, dev, "/play/");
    await countTo(page, "header", 2);
    await countTo(page, "label", 3);
    await project.edit("site/components/Label.tsx", ">Label<", ">Other label<");
    await expect(page.locator("#text")).toHaveText("Other label");
    await project.edit("site/components/Logo.tsx", ">Logo<", ">Other logo<");
    await expect(page.locator("#logo")).toHaveText("Other logo");
    await project.write("site/components/index.ts", `${await project.read("site/components/index.ts")}export * from "./Counter";\n`);
    await dev.says(/updated site\/components\/index\.ts/);
    await project.edit("site/components/Logo.tsx", "Other logo", "Last logo");
    await expect(page.locator("#logo")).toHaveText("Last logo");
    await expectCounts(page, { header: 2, label: 3 });
    await expectSameDocument(page);
  });

  test("a lazy part that is edited while it loads", async ({ page, dev, project }) => {
    await open(page, dev, "/lazy/");
    for (let step = 0; step < 5; step++) {
      await page.waitForTimeout(500);
      await page.locator("#open").click();
      await project.edit("site/components/Cards.tsx", step ? `{"part ${step - 1}"} ` : "<span>", `{"part ${step}"} ${step ? "" : "<span>"}`);
      await expect(page.locator("#cards")).toContainText(`part ${step}`);
      await expectSameDocument(page);
      await page.reload();
      await hydrated(page);
      await mark(page);
    }
  });

  test("a lazy part has the newest of what it imports", async ({ page, dev, project }) => {
    await open(page, dev, "/lazy/");
    await project.edit("site/format.ts", "<${text}>", "1 ${text}");
    await dev.says(/updated site\/format\.ts/);
    await page.locator("#open").click();
    await expect(page.locator("#cards span")).toHaveText("1 cards");
    expect(await colorOf(page, "#cards")).toBe("rgb(0, 0, 4)");
    await countTo(page, "in-cards", 2);
    await project.edit("site/components/Cards.tsx", 'format("cards")', 'format("maps")');
    await expect(page.locator("#cards span")).toHaveText("1 maps");
    await project.edit("site/format.ts", "1 ${text}", "2 ${text}");
    await expect(page.locator("#cards span")).toHaveText("2 maps");
    expect(await colorOf(page, "#cards")).toBe("rgb(0, 0, 4)");
    await expectCounts(page, { "in-cards": 2 });
    await page.getByRole("link", { name: "Home" }).click();
    await expect(page.locator("h1")).toHaveText("Home");
    await project.edit("site/format.ts", "2 ${text}", "3 ${text}");
    await dev.says(/(updated site\/format\.ts[\s\S]*){3}/);
    await page.getByRole("link", { name: "Lazy" }).click();
    await page.locator("#open").click();
    await expect(page.locator("#cards span")).toHaveText("3 maps");
    await expectSameDocument(page);
    await page.reload();
    await page.locator("#open").click();
    await expect(page.locator("#cards span")).toHaveText("3 maps");
    expect(await page.locator('link[href*="style/"]').count()).toBe(await linkedSheets(page));
  });
});

/** How many different style sheets are linked. */
function linkedSheets(page: Page): Promise<number> {
  return page.evaluate(() => new Set([...document.querySelectorAll<HTMLLinkElement>('link[href*="style/"]')].map(({ href }) => href.replace(/\?.*/, ""))).size);
}

/** Notes the colours that elements have in each frame. */
async function watchColor(page: Page, selector: string) {
  await page.evaluate((selector) => {
    const look = () => {
      const color = getComputedStyle(document.querySelector(selector)!).color;
      if (window.notes.at(-1) !== color) window.notes.push(color);
      requestAnimationFrame(look);
    };
    window.notes = [];
    look();
  }, selector);
}

test.describe("styles", () => {
  test("are swapped without a reload and without a flash", async ({ page, dev, project }) => {
    await open(page, dev);
    await watchColor(page, "main");
    await project.edit("site/styles.css", "rgb(0, 0, 1)", "rgb(9, 0, 1)");
    await expect.poll(() => colorOf(page, "main")).toBe("rgb(9, 0, 1)");
    await project.edit("site/styles.css", "rgb(9, 0, 1)", "rgb(8, 0, 1)");
    await expect.poll(() => colorOf(page, "main")).toBe("rgb(8, 0, 1)");
    await page.waitForTimeout(100);
    expect(await notes(page)).toEqual(["rgb(0, 0, 1)", "rgb(9, 0, 1)", "rgb(8, 0, 1)"]);
    await expectSameDocument(page);
  });

  test("of CSS modules: a colour, a class that nobody uses, a rename", async ({ page, dev, project }) => {
    await open(page, dev, "/style/");
    await page.getByLabel("text").fill("typed");
    await watchColor(page, "h1");
    await project.edit("site/pages/style.module.css", "rgb(0, 0, 2)", "rgb(9, 0, 2)");
    await expect.poll(() => colorOf(page, "h1")).toBe("rgb(9, 0, 2)");
    await project.edit("site/pages/style.module.css", ".title {", ".unused {\n  color: red;\n}\n\n.title {");
    await dev.says(/(updated site\/pages\/style\.module\.css[\s\S]*){2}/);
    await page.waitForTimeout(200);
    expect(await notes(page)).toEqual(["rgb(0, 0, 2)", "rgb(9, 0, 2)"]);
    await project.edit("site/pages/style.module.css", ".title {", ".heading {");
    await dev.says(/(updated site\/pages\/style\.module\.css[\s\S]*){3}/);
    await project.edit("site/pages/style.tsx", 'styles["title"]', 'styles["heading"]');
    await expect(page.locator("h1")).toHaveClass(/heading/);
    await expect.poll(() => colorOf(page, "h1")).toBe("rgb(9, 0, 2)");
    await expect(page.getByLabel("text")).toHaveValue("typed");
    await expectSameDocument(page);
  });

  test("go with the last import of them and come back with it", async ({ page, dev, project }) => {
    await open(page, dev, "/style/");
    expect(await colorOf(page, "#util")).toBe("rgb(0, 0, 3)");
    await page.getByLabel("text").fill("typed");
    await project.edit("site/util.ts", 'import "./util.css";', "");
    await expect.poll(() => colorOf(page, "#util")).toBe("rgb(0, 0, 1)");
    await project.edit("site/util.ts", "\n\nexport", 'import "./util.css";\n\nexport');
    await expect.poll(() => colorOf(page, "#util")).toBe("rgb(0, 0, 3)");
    await project.edit("site/util.ts", 'import "./util.css";', "");
    await project.edit("site/pages/style.tsx", "import { useState", 'import "../util.css";\nimport { useState');
    await dev.says(/updated site\/pages\/style\.tsx/);
    await expect.poll(() => colorOf(page, "#util")).toBe("rgb(0, 0, 3)");
    const css = await project.read("site/util.css");
    await project.remove("site/util.css");
    await expect(dialog(page)).toContainText("util.css");
    expect(await colorOf(page, "#util")).toBe("rgb(0, 0, 3)");
    await project.write("site/util.css", css);
    await expectSolved(page);
    expect(await colorOf(page, "#util")).toBe("rgb(0, 0, 3)");
    await expect(page.getByLabel("text")).toHaveValue("typed");
    await expectSameDocument(page);
  });

  test("may be empty for a while", async ({ page, project }) => {
    await project.write("site/styles.css", "/* nothing yet */\n");
    const dev = await project.serve();
    await open(page, dev);
    expect(await colorOf(page, "main")).toBe("rgb(0, 0, 0)");
    for (const step of [1, 2]) {
      await project.write("site/styles.css", `main {\n  color: rgb(${step}, 0, 0);\n}\n`);
      await expect.poll(() => colorOf(page, "main")).toBe(`rgb(${step}, 0, 0)`);
      await project.write("site/styles.css", "");
      await expect.poll(() => colorOf(page, "main")).toBe("rgb(0, 0, 0)");
      await project.edit("site/pages/index.tsx", 'import { useState', 'import "../words";\nimport { useState');
      await dev.says(new RegExp(`(updated site/pages/index.tsx[^]*){${step}}`));
    }
    await expectSameDocument(page);
  });

  test("keep the order that a build gives them", async ({ page, project }) => {
    const rule = (color: number) => `.box {\n  color: rgb(${color}, 0, 0);\n}\n`;
    await project.write("site/components/box.module.css", rule(1));
    await project.write("site/pages/play.module.css", rule(2));
    await project.write(
      "site/components/Box.tsx",
      `import styles from "./box.module.css";
       export function Box({ name }: { name: string }) { return <p id="box" className={\`\${styles["box"]} \${name}\`}>Box</p>; }`,
    );
    const sources = (imports: string[]) =>
      `${imports.join("\n")}\nexport default function Play() { return <><h1>Play</h1><Box name={styles["box"]!} /></>; }`;
    const imports = ['import { Box } from "../components/Box";', 'import styles from "./play.module.css";'];
    await project.write("site/pages/play.tsx", sources(imports));
    const dev = await project.serve();
    await open(page, dev, "/play/");
    expect(await colorOf(page, "#box")).toBe("rgb(2, 0, 0)");
    await project.write("site/components/box.module.css", rule(3));
    await dev.says(/updated site\/components\/box\.module\.css/);
    await settle(page);
    expect(await colorOf(page, "#box")).toBe("rgb(2, 0, 0)");
    await project.write("site/pages/play.module.css", rule(4));
    await expect.poll(() => colorOf(page, "#box")).toBe("rgb(4, 0, 0)");
    await project.write("site/pages/play.tsx", sources([...imports].reverse()));
    await expect.poll(() => colorOf(page, "#box")).toBe("rgb(3, 0, 0)");
    await project.write("site/components/box.module.css", rule(5));
    await expect.poll(() => colorOf(page, "#box")).toBe("rgb(5, 0, 0)");
    await expectSameDocument(page);
    await page.reload();
    expect(await colorOf(page, "#box")).toBe("rgb(5, 0, 0)");
  });

  test("imported by style sheets are swapped, with their layers and conditions", async ({ page, project }) => {
    await project.write("site/styles.css", '@import "./icons.css" layer(icons) screen;\n');
    await project.write("site/icons.css", '@import "./base.css";\nh1 {\n  color: rgb(1, 0, 0);\n}\n');
    await project.write("site/base.css", "h1 {\n  background-color: rgb(1, 1, 0);\n}\n");
    const dev = await project.serve();
    const background = () => page.locator("h1").evaluate((heading) => getComputedStyle(heading).backgroundColor);
    await open(page, dev);
    expect([await colorOf(page, "h1"), await background()]).toEqual(["rgb(1, 0, 0)", "rgb(1, 1, 0)"]);
    await project.edit("site/icons.css", "rgb(1, 0, 0)", "rgb(2, 0, 0)");
    await expect.poll(() => colorOf(page, "h1")).toBe("rgb(2, 0, 0)");
    await project.edit("site/base.css", "rgb(1, 1, 0)", "rgb(2, 2, 0)");
    await expect.poll(background).toBe("rgb(2, 2, 0)");
    await project.edit("site/styles.css", " screen", " print");
    await expect.poll(() => colorOf(page, "h1")).toBe("rgb(0, 0, 0)");
    await project.edit("site/styles.css", " print", " screen");
    await expect.poll(() => colorOf(page, "h1")).toBe("rgb(2, 0, 0)");
    await expectSameDocument(page);
  });

  test("that something in the layout imports come and go", async ({ page, dev, project }) => {
    await open(page, dev);
    await countTo(page, "header", 2);
    await project.write("site/header.css", "header b {\n  color: rgb(1, 0, 0);\n}\n");
    await project.edit("site/components/Header.tsx", 'import { Counter', 'import "../header.css";\nimport { Counter');
    await expect.poll(() => colorOf(page, "header b")).toBe("rgb(1, 0, 0)");
    await project.edit("site/header.css", "rgb(1, 0, 0)", "rgb(2, 0, 0)");
    await expect.poll(() => colorOf(page, "header b")).toBe("rgb(2, 0, 0)");
    await project.edit("site/components/Header.tsx", 'import "../header.css";\n', "");
    await expect.poll(() => colorOf(page, "header b")).toBe("rgb(0, 0, 0)");
    await expectCounts(page, { header: 2 });
    await expectSameDocument(page);
  });

  test("of a lazy part stay while it changes", async ({ page, dev, project }) => {
    await open(page, dev, "/lazy/");
    await page.locator("#open").click();
    await expect.poll(() => colorOf(page, "#cards")).toBe("rgb(0, 0, 4)");
    for (let round = 0; round < 5; round++) {
      await project.edit("site/components/Cards.tsx", round ? `cards${round - 1}"` : 'format("cards"', round ? `cards${round}"` : 'format("cards0"');
      await expect(page.locator("#cards span")).toHaveText(`<cards${round}>`);
      expect(await colorOf(page, "#cards")).toBe("rgb(0, 0, 4)");
      await page.locator("#open").click();
      await page.locator("#open").click();
    }
    await project.edit("site/components/cards.module.css", "rgb(0, 0, 4)", "rgb(9, 0, 4)");
    await expect.poll(() => colorOf(page, "#cards")).toBe("rgb(9, 0, 4)");
    expect(await page.locator('link[href*="style/"]').count()).toBe(await linkedSheets(page));
    await expectSameDocument(page);
  });
});

test.describe("routes and files beside modules", () => {
  test("a title shows without a reload", async ({ page, dev, project }) => {
    await open(page, dev);
    await countTo(page, "page", 2);
    await project.edit("routes.toml", 'title = "Home"', 'title = "Start"');
    await expect(page).toHaveTitle(/Start/);
    await project.edit("routes.toml", 'title = "About"', 'title = "About us"');
    await expect.poll(() => dev.fetch("/about/")).toContain("<title>About us");
    await page.getByRole("link", { name: "About" }).click();
    await expect(page.locator("h1")).toHaveText("About");
    await expect(page).toHaveTitle(/About us/);
    await page.getByRole("link", { name: "Home" }).click();
    await expect(page.locator("h1")).toHaveText("Home");
    await expect(page).toHaveTitle(/Start/);
    await expectSameDocument(page);
  });

  test("a route is added, renamed and removed", async ({ page, dev, project }) => {
    const routes = await project.read("routes.toml");
    const added = (path: string) => `${routes}\n[[route]]\npath = "${path}"\ntitle = "Two"\ncomponent = "pages/two.tsx"\n`;
    await open(page, dev);
    const loads = countLoads(page);
    await project.write("site/pages/two.tsx", "export default function Two() { return <h1>Two</h1>; }");
    await project.write("routes.toml", added("/two"));
    await expect.poll(() => dev.fetch("/two/")).toContain("<h1>Two</h1>");
    await expect(page.locator("h1")).toHaveText("Home");
    await page.waitForTimeout(300);
    expect(loads()).toBeLessThanOrEqual(1);
    await project.edit("site/components/Header.tsx", "<b>Header</b>", '<b>Header</b> <Link to="/two">Two</Link>');
    await page.getByRole("link", { name: "Two" }).click();
    await expect(page.locator("h1")).toHaveText("Two");

    await settle(page);
    const before = loads();
    await project.write("routes.toml", added("/three"));
    await expect(page.locator("h1")).toHaveText("Not found");
    await page.waitForTimeout(300);
    expect(loads() - before).toBeLessThanOrEqual(1);
    expect(await dev.fetch("/three/")).toContain("<h1>Two</h1>");
    await project.write("routes.toml", added("/two"));
    await expect(page.locator("h1")).toHaveText("Two");
    await page.waitForTimeout(300);
    expect(loads() - before).toBeLessThanOrEqual(2);
    await project.write("routes.toml", routes);
    await expect(page.locator("h1")).toHaveText("Not found");
    await page.waitForTimeout(300);
    expect(loads() - before).toBeLessThanOrEqual(3);
    await project.write("routes.toml", added("/two"));
    await expect(page.locator("h1")).toHaveText("Two");
    await page.waitForTimeout(1000);
    expect(loads() - before).toBeLessThanOrEqual(4);
  });

  test("a page that was visited goes with its route, and comes back as another one", async ({ page, dev, project }) => {
    const routes = await project.read("routes.toml");
    const without = routes.replace(/\[\[route\]\]\npath = "\/play"[^[]*/, "");
    await open(page, dev);
    await page.getByRole("link", { name: "Play" }).click();
    await expect(page.locator("h1")).toHaveText("Play");
    await page.getByRole("link", { name: "Home" }).click();
    await expect(page.locator("h1")).toHaveText("Home");
    await project.write("routes.toml", without);
    await project.remove("site/pages/play.tsx");
    await expect.poll(() => dev.fetch("/play/")).toContain("Not found");
    await project.write("site/pages/play.tsx", "export default function Play() { return <h1>Played</h1>; }");
    await project.write("routes.toml", routes);
    await expect.poll(() => dev.fetch("/play/")).toContain("Played");
    await page.getByRole("link", { name: "Play" }).click();
    await expect(page.locator("h1")).toHaveText("Played");
    await project.edit("site/pages/play.tsx", "Played", "Played again");
    await expect(page.locator("h1")).toHaveText("Played again");
  });

  test("a page's file is deleted, put back and renamed", async ({ page, dev, project }) => {
    await open(page, dev, "/about/");
    const loads = countLoads(page);
    const text = await project.read("site/pages/about.tsx");
    for (let round = 0; round < 2; round++) {
      await project.remove("site/pages/about.tsx");
      await expect(dialog(page)).toContainText("about.tsx");
      await expect(page.locator("h1")).toHaveText("About");
      await project.write("site/pages/about.tsx", text);
      await expectSolved(page);
    }
    expect(loads()).toBe(0);
    await project.edit("site/components/Table.tsx", "../pages/about", "../pages/us");
    await expect(dialog(page)).toContainText("pages/us");
    await project.move("site/pages/about.tsx", "site/pages/us.tsx");
    await project.edit("routes.toml", '"/about"', '"/us"');
    await expect(page.locator("h1")).toHaveText("Not found");
    await expectSolved(page);
    expect(await dev.fetch("/us/")).toContain("<h1>About</h1>");
    await page.waitForTimeout(300);
    expect(loads()).toBeLessThanOrEqual(1);
  });

  test("the layout is removed and added", async ({ page, dev, project }) => {
    await open(page, dev);
    const loads = countLoads(page);
    await project.move("site/layout.tsx", "site/kept.tsx");
    await expect(page.locator("header")).toHaveCount(0);
    await expect(page.locator("h1")).toHaveText("Home");
    expect(await dev.fetch("/")).not.toContain("<header>");
    await project.move("site/kept.tsx", "site/layout.tsx");
    await expect(page.locator("header")).toHaveCount(1);
    expect(await dev.fetch("/")).toContain("<header>");
    await expect.poll(() => colorOf(page, "main")).toBe("rgb(0, 0, 1)");
    await page.waitForTimeout(300);
    expect(loads()).toBeLessThanOrEqual(2);
  });

  test("the not-found page changes, goes and comes", async ({ page, dev, project }) => {
    await open(page, dev, "/no/such/page");
    await countTo(page, "header", 2);
    await project.edit("site/pages/404.tsx", "Not found", "Nothing here");
    await expect(page.locator("h1")).toHaveText("Nothing here");
    await expectCounts(page, { header: 2 });
    await expectSameDocument(page);
    const text = await project.read("site/pages/404.tsx");
    await project.remove("site/pages/404.tsx");
    await expect(page.locator("h1", { hasText: "Nothing here" })).toHaveCount(0);
    expect(await dev.fetch("/no/such/page")).not.toContain("Nothing here");
    await project.write("site/pages/404.tsx", text);
    await expect(page.locator("h1")).toHaveText("Nothing here");
  });

  test("a template is added, changed and removed", async ({ page, dev, project }) => {
    await open(page, dev);
    const shell = await readFile(`${root}/templates/shell.html`, "utf8");
    await project.write("templates/shell.html", shell.replace("</head>", '<meta name="probe" content="one">\n</head>'));
    await expect(page.locator('meta[name="probe"]')).toHaveAttribute("content", "one");
    await project.edit("templates/shell.html", 'content="one"', 'content="two"');
    await expect(page.locator('meta[name="probe"]')).toHaveAttribute("content", "two");
    await project.edit("templates/shell.html", "{{ title }}", "{{ title ");
    await expect(dialog(page)).toContainText("shell.html");
    await project.edit("templates/shell.html", "{{ title ", "{{ title }}");
    await expectSolved(page);
    await project.remove("templates/shell.html");
    await expect(page.locator('meta[name="probe"]')).toHaveCount(0);
    await expect(page.locator("h1")).toHaveText("Home");
  });

  test("what was not there at first is followed once it is", async ({ page, project }) => {
    await project.remove("site/tsconfig.json");
    await project.edit("site/pages/data.tsx", "#words", "../words");
    for (const name of ["one", "two"]) await project.write(`site/${name}/word.ts`, `export const word = "${name}";\n`);
    const dev = await project.serve();
    await open(page, dev);
    const paths = (folder: string) => `{ "compilerOptions": { "paths": { "@/*": ["./${folder}/*"] } } }\n`;
    await project.write("site/tsconfig.json", paths("one"));
    await project.edit("site/pages/index.tsx", "<h1>Home", "<h1>{word}");
    await project.edit("site/pages/index.tsx", "export default", 'import { word } from "@/word";\nexport default');
    await expect(page.locator("h1")).toHaveText("one");
    await project.write("site/tsconfig.json", paths("two"));
    await expect(page.locator("h1")).toHaveText("two");

    await mkdir(project.path("templates"));
    await dev.says(/updated templates/);
    const shell = await readFile(`${root}/templates/shell.html`, "utf8");
    await project.write("templates/shell.html", shell.replace("</head>", '<meta name="probe" content="one">\n</head>'));
    await expect(page.locator('meta[name="probe"]')).toHaveAttribute("content", "one");
  });

  test("a public file changes, comes and goes", async ({ dev, project }) => {
    expect(await dev.fetch("/note.txt")).toBe("public text\n");
    await project.write("site/public/note.txt", "other text");
    await expect.poll(() => dev.fetch("/note.txt")).toBe("other text");
    await project.write("site/public/more/new.txt", "new");
    await expect.poll(() => dev.fetch("/more/new.txt")).toBe("new");
    await project.remove("site/public/more/new.txt");
    await expect.poll(() => dev.fetch("/more/new.txt")).not.toBe("new");
  });

  test("files that a pattern matches come and go, and so do assets", async ({ page, project }) => {
    await project.write("site/items/one.ts", 'export default "one";');
    await project.write("site/mark.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="11" height="1"/>');
    await project.write(
      "site/pages/play.tsx",
      `import mark from "../mark.svg?url";
       import text from "../note.txt?raw";
       const items = (import.meta as any).glob("../items/*.ts", { eager: true, import: "default" });
       export default function Play() {
         return <><h1>{Object.values(items).join(" ")}</h1><p>{text}</p><img alt="mark" src={mark} /></>;
       }`,
    );
    await project.write("site/note.txt", "raw text");
    const dev = await project.serve();
    await open(page, dev, "/play/");
    await countTo(page, "header", 2);
    await expect(page.locator("h1")).toHaveText("one");
    await project.write("site/items/two.ts", 'export default "two";');
    await expect(page.locator("h1")).toHaveText("one two");
    await project.remove("site/items/one.ts");
    await expect(page.locator("h1")).toHaveText("two");
    await project.write("site/note.txt", "other raw text");
    await expect(page.locator("p")).toHaveText("other raw text");
    await project.edit("site/mark.svg", '"11"', '"22"');
    await expect.poll(() => page.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(22);
    await expectCounts(page, { header: 2 });
    await expectSameDocument(page);
    expect(await dev.fetch("/play/")).toContain("<h1>two</h1>");
  });

  test("a package that is linked from a workspace changes", async ({ page, project }) => {
    await project.write("packages/ui/package.json", '{ "name": "@acme/ui", "exports": "./index.tsx" }');
    await project.write("packages/ui/index.tsx", 'export { Sign } from "./Sign";');
    await project.write(
      "packages/ui/Sign.tsx",
      'import { useState } from "react";\nexport function Sign() { const [n, set] = useState(0); return <p>one <button id="sign" onClick={() => set(n + 1)}>{n}</button></p>; }',
    );
    await project.link("packages/ui", "site/node_modules/@acme/ui");
    await project.link("site/node_modules", "packages/node_modules");
    await project.edit("routes.toml", "[portal]", '[build]\nallow = ["packages"]\n\n[portal]');
    await project.write("site/pages/play.tsx", 'import { Sign } from "@acme/ui";\nexport default function Play() { return <><h1>Play</h1><Sign /></>; }');
    const dev = await project.serve();
    await open(page, dev, "/play/");
    await countTo(page, "sign", 2);
    await project.edit("packages/ui/Sign.tsx", "one", "two");
    await expect(page.locator("p")).toContainText("two");
    await expectCounts(page, { sign: 2 });
    await expectSameDocument(page);
    await project.write("packages/ui/other.tsx", 'export function Sign() { return <p>other</p>; }');
    await project.edit("packages/ui/package.json", "index.tsx", "other.tsx");
    await expect(page.locator("p")).toHaveText("other");
  });

  test("a portal below a path, whose addresses end without a slash", async ({ page, project }) => {
    await project.edit("routes.toml", "[portal]\n", '[portal]\nbase = "/app/"\nslash = "never"\n');
    const dev = await project.serve();
    await open(page, dev, "/app/about");
    await countTo(page, "header", 2);
    await project.edit("site/pages/about.tsx", "<h1>About", "<h1>About us");
    await expect(page.locator("h1")).toHaveText("About us");
    await project.edit("site/styles.css", "rgb(0, 0, 1)", "rgb(9, 0, 1)");
    await expect.poll(() => colorOf(page, "main")).toBe("rgb(9, 0, 1)");
    await project.edit("routes.toml", 'title = "About"', 'title = "About us"');
    await expect(page).toHaveTitle(/About us/);
    await page.getByRole("link", { name: "Lazy" }).click();
    await page.locator("#open").click();
    await expect(page.locator("#cards")).toBeVisible();
    expect(await colorOf(page, "#cards")).toBe("rgb(0, 0, 4)");
    await expectCounts(page, { header: 2 });
    await expectSameDocument(page);
    const loads = countLoads(page);
    await project.edit("routes.toml", '"/lazy"', '"/late"\ncomponent = "pages/lazy.tsx"');
    await expect(page.locator("h1")).toHaveText("Not found");
    await settle(page);
    expect(loads()).toBeLessThanOrEqual(1);
  });

  test("the portal moves below another path", async ({ page, dev, project }) => {
    await project.edit("routes.toml", "[portal]\n", '[portal]\nbase = "/app/"\n');
    await expect.poll(() => dev.fetch("/app/")).toContain("<h1>Home</h1>");
    await open(page, dev, "/app/");
    await countTo(page, "page", 2);
    await project.edit("site/pages/index.tsx", "<h1>Home", "<h1>Home again");
    await expect(page.locator("h1")).toHaveText("Home again");
    await expectCounts(page, { page: 2 });
    await expectSameDocument(page);
  });

  test("a portal below a path that cannot be built yet", async ({ page, project }) => {
    await project.edit("routes.toml", "[portal]\n", '[portal]\nbase = "/app/"\n');
    await project.edit("site/components/Label.tsx", "function Label", "function Sign");
    const dev = await project.serve();
    await page.goto(`${dev.origin}/app/`);
    await expect(dialog(page)).toContainText("Label");
    await project.edit("site/components/Label.tsx", "function Sign", "function Label");
    await expect(page.locator("h1")).toHaveText("Home");
    await expectSolved(page);
  });

  test("JSON files and the paths of tsconfig.json change", async ({ page, dev, project }) => {
    await open(page, dev, "/data/");
    await countTo(page, "header", 2);
    await expect(page.locator("#later")).toHaveText("later");
    await project.write("site/data/numbers.json", '{ "first": 2 }');
    await expect(page.locator("#number")).toHaveText("2");
    await project.edit("site/tsconfig.json", "words.ts", "other-words.ts");
    await expect(page.locator("#word")).toHaveText("second");
    await expectCounts(page, { header: 2 });
    await expectSameDocument(page);
    expect(await dev.fetch("/data/")).toContain('<p id="word">second</p>');
    await project.write("site/data/later.json", '{ "text": "much later" }');
    await expect(page.locator("#later")).toHaveText("much later");
    await project.edit("site/tsconfig.json", '"paths"', "paths");
    await expect(dialog(page)).toContainText("tsconfig.json");
    await project.edit("site/tsconfig.json", "paths", '"paths"');
    await expectSolved(page);
  });
});

/** Lets updates that are on their way arrive. */
async function settle(page: Page) {
  await page.waitForTimeout(300);
}

test.describe("mistakes", () => {
  test("a syntax error shows its place, and the page goes on", async ({ page, dev, project }) => {
    await open(page, dev);
    await countTo(page, "page", 2);
    await project.edit("site/components/Label.tsx", "return (", "return (((");
    await expect(dialog(page)).toBeVisible();
    await expect(dialog(page)).toContainText(/site\/components\/Label\.tsx:\d+:\d+/);
    await dev.says(/site\/components\/Label\.tsx:\d+:\d+/);
    await page.keyboard.press("Escape");
    await countTo(page, "page", 3);
    expect(await dev.fetch("/")).toContain('<span id="text">Label</span>');
    await project.edit("site/components/Label.tsx", "return (((", "return (");
    await expectSolved(page);
    await project.edit("site/components/Label.tsx", ">Label<", ">Mended<");
    await expect(page.locator("#text")).toHaveText("Mended");
    await expectCounts(page, { page: 3 });
    await expectSameDocument(page);
  });

  test("an export that is gone shows before anything is sent", async ({ page, dev, project, messages }) => {
    await open(page, dev);
    await countTo(page, "label", 2);
    await project.edit("site/components/Label.tsx", "function Label", "function Sign");
    await expect(problem(page)).toContainText("Label");
    await expect(dialog(page)).toContainText(/site\/components\/Panel\.tsx:\d+:\d+/);
    await expectCounts(page, { label: 2 });
    await project.edit("site/components/Panel.tsx", "Label", "Sign");
    await project.edit("site/components/Panel.tsx", "./Sign", "./Label");
    await expectSolved(page);
    await expect(page.locator("#label")).toHaveText("0");
    await expectSameDocument(page);
    expect(messages.filter((message) => /^(error|uncaught)/.test(message))).toEqual([]);
  });

  test("what every module of a page depends on is broken, and edits that follow are not lost", async ({ page, dev, project }) => {
    await open(page, dev);
    await countTo(page, "header", 2);
    await project.edit("site/theme.tsx", "return <ThemeContext", "return (<ThemeContext");
    await expect(dialog(page)).toContainText("site/theme.tsx");
    await project.edit("site/components/Label.tsx", ">Label<", ">Other label<");
    await project.edit("site/styles.css", "rgb(0, 0, 1)", "rgb(9, 0, 1)");
    await settle(page);
    await expect(page.locator("#text")).toHaveText("Label");
    await project.edit("site/theme.tsx", "return (<ThemeContext", "return <ThemeContext");
    await expect(page.locator("#text")).toHaveText("Other label");
    await expect.poll(() => colorOf(page, "main")).toBe("rgb(9, 0, 1)");
    await expectSolved(page);
    await expectCounts(page, { header: 2 });
    await expectSameDocument(page);
  });

  test("style sheets in a ring, and a sheet with a mistake", async ({ page, dev, project }) => {
    await open(page, dev);
    await project.write("site/ring.css", '@import "./styles.css";\n');
    await project.edit("site/styles.css", "main {", '@import "./ring.css";\nmain {');
    await dev.says(/updated .*styles\.css|styles\.css:/);
    await project.edit("site/styles.css", '@import "./ring.css";\n', "");
    await project.edit("site/styles.css", "rgb(0, 0, 1);\n}", "rgb(9, 0, 1);\n");
    await settle(page);
    await project.edit("site/styles.css", "rgb(9, 0, 1);\n", "rgb(8, 0, 1);\n}\n");
    await expect.poll(() => colorOf(page, "main")).toBe("rgb(8, 0, 1)");
    await expectSolved(page);
    await expectSameDocument(page);
  });

  test("an import that leads nowhere is solved by a new file", async ({ page, dev, project }) => {
    await open(page, dev);
    await countTo(page, "page", 2);
    await project.edit("site/components/Label.tsx", 'from "react";', 'from "react";\nimport { fresh } from "./fresh";\nconsole.info(fresh);');
    await expect(problem(page)).toContainText("./fresh");
    await project.write("site/components/fresh.ts", 'export const fresh = "fresh";');
    await expectSolved(page);
    await project.edit("site/components/Label.tsx", 'from "./fresh"', 'from "no-such-package"');
    await expect(problem(page)).toContainText("no-such-package");
    await project.write("site/node_modules/no-such-package/package.json", '{ "name": "no-such-package", "main": "index.js" }');
    await project.write("site/node_modules/no-such-package/index.js", 'exports.fresh = "package";');
    await expectSolved(page);
    await expectCounts(page, { page: 2 });
    await expectSameDocument(page);
  });

  test("routes.toml is broken and mended", async ({ page, dev, project }) => {
    await open(page, dev);
    await countTo(page, "page", 2);
    await project.edit("routes.toml", 'title = "Home"', 'title = "Home');
    await expect(dialog(page)).toContainText(/routes\.toml:\d+:\d+/);
    expect(await dev.fetch("/about/")).toContain("<h1>About</h1>");
    await project.edit("site/pages/index.tsx", "<h1>Home", "<h1>Home again");
    await project.edit("routes.toml", 'title = "Home', 'title = "Home"');
    await expectSolved(page);
    await expect(page.locator("h1")).toHaveText("Home again");
    const routes = await project.read("routes.toml");
    await project.write("routes.toml", routes.slice(0, routes.length / 2 - 10));
    await expect(dialog(page)).toContainText("routes.toml");
    await project.write("routes.toml", routes);
    await expectSolved(page);
    await expectCounts(page, { page: 2 });
    await expectSameDocument(page);
    expect(dev.isRunning).toBe(true);
  });

  test("a mistake in routes.toml stays when a page is edited after it", async ({ page, dev, project }) => {
    await open(page, dev);
    await project.edit("routes.toml", 'title = "Home"', 'title = "Home');
    await expect(dialog(page)).toContainText(/routes\.toml:\d+:\d+/);
    await project.edit("site/pages/index.tsx", "<h1>Home", "<h1>Home <");
    await expect.poll(() => dev.times("routes.toml:")).toBeGreaterThan(1);
    await expect(dialog(page)).toContainText(/routes\.toml:\d+:\d+/);
    await project.edit("routes.toml", 'title = "Home', 'title = "Home"');
    await expect(dialog(page)).toContainText(/index\.tsx:\d+:\d+/);
    await project.edit("site/pages/index.tsx", "<h1>Home <", "<h1>Home again");
    await expectSolved(page);
    await expect(page.locator("h1")).toHaveText("Home again");
    await expectSameDocument(page);
  });

  const mistakes: [string, (project: Project) => Promise<void>, (project: Project) => Promise<void>, RegExp][] = [
    [
      "an export that does not exist",
      (project) => project.edit("site/components/Label.tsx", "function Label", "function Sign"),
      (project) => project.edit("site/components/Label.tsx", "function Sign", "function Label"),
      /Label/,
    ],
    [
      "routes.toml that cannot be read",
      (project) => project.edit("routes.toml", "[portal]", "[portal"),
      (project) => project.edit("routes.toml", "[portal", "[portal]"),
      /routes\.toml/,
    ],
    [
      "no packages",
      (project) => rm(project.path("site/node_modules"), { recursive: true }),
      (project) => project.install(),
      /react/,
    ],
  ];
  for (const [name, damage, mend, told] of mistakes) {
    test(`it starts with ${name}`, async ({ page, project }) => {
      await damage(project);
      const dev = await project.serve();
      await page.goto(dev.origin);
      await expect(dialog(page)).toContainText(told);
      await dev.says(told);
      await mend(project);
      await expect(page.locator("h1")).toHaveText("Home");
      await expectSolved(page);
      await hydrated(page);
      await countTo(page, "page", 1);
    });
  }

  test("a component that throws in the browser", async ({ page, dev, project }) => {
    await open(page, dev);
    await countTo(page, "header", 2);
    await project.edit("site/components/Label.tsx", "return (", 'if (typeof window === "object") throw new Error("the label threw");\n  return (');
    await expect(problem(page)).toContainText("the label threw");
    await dev.says(/\/ failed in the browser: .*the label threw/);
    await project.edit("site/components/Label.tsx", 'if (typeof window === "object") throw new Error("the label threw");\n  return (', "return (");
    await expect(page.locator("#text")).toHaveText("Label");
    await expectSolved(page);
    await page.locator("#label").click();
    await expectCounts(page, { label: 1 });
  });

  test("a component that throws in the engine only", async ({ page, dev, project }) => {
    await open(page, dev);
    await countTo(page, "label", 2);
    await project.edit("site/components/Label.tsx", "return (", 'if (typeof window !== "object") throw new Error("the label threw");\n  return (');
    await expect(problem(page)).toContainText("the label threw");
    await expect(dialog(page)).toContainText("site/components/Label.tsx");
    await dev.says(/the label threw/);
    await expectCounts(page, { label: 2 });
    await project.edit("site/components/Label.tsx", 'if (typeof window !== "object") throw new Error("the label threw");\n  return (', "return (");
    await expectSolved(page);
    await expectCounts(page, { label: 2 });
    await expectSameDocument(page);
  });

  test("a difference in hydration", async ({ page, project }) => {
    await project.edit("site/components/Label.tsx", ">Label<", '>{typeof window === "object" ? "of the browser" : "of the engine"}<');
    const dev = await project.serve();
    await page.goto(dev.origin);
    await expect(dialog(page)).toContainText("Hydration mismatch");
    await expect(dialog(page)).toContainText("of the browser");
    await expect(dialog(page)).toContainText("of the engine");
    await dev.says(/\/ failed in the browser: /);
    await project.edit("site/components/Label.tsx", '{typeof window === "object" ? "of the browser" : "of the engine"}', "Label");
    await expect(page.locator("#text")).toHaveText("Label");
    await expectSolved(page);
  });

  test("a rejection that nobody caught", async ({ page, dev, project }) => {
    await open(page, dev);
    await project.edit("site/components/Label.tsx", "setCount(count + 1)", 'Promise.reject(new Error("rejected by the label"))');
    await dev.says(/updated site\/components\/Label\.tsx/);
    await settle(page);
    await page.locator("#label").click();
    await expect(problem(page)).toContainText("rejected by the label");
    await dev.says(/rejected by the label/);
    await project.edit("site/components/Label.tsx", 'Promise.reject(new Error("rejected by the label"))', "setCount(count + 1)");
    await expectSolved(page);
    await countTo(page, "label", 1);
    await expectSameDocument(page);
  });
});

test.describe("documents", () => {
  const edits: [string, string, string, string, string][] = [
    ["/", "site/pages/index.tsx", "<h1>Home", "<h1>Start", "<h1>Start</h1>"],
    ["/", "site/components/Label.tsx", ">Label<", ">Sign<", '<span id="text">Sign</span>'],
    ["/data/", "site/data/numbers.json", "1", "7", '<p id="number">7</p>'],
    ["/", "site/components/Header.tsx", "<b>Header", "<b>Head", "<b>Head</b>"],
  ];

  test("are of the newest state without a browser", async ({ dev, project }) => {
    for (const [path, file, from, to, shown] of edits) {
      expect(await dev.fetch(path)).not.toContain(shown);
      await project.edit(file, from, to);
      await expect.poll(() => dev.fetch(path), { intervals: [20], timeout: 5000 }).toContain(shown);
    }
  });

  test("are of the newest state with a browser, and hydrate", async ({ page, dev, project, messages }) => {
    for (const [path, file, from, to, shown] of edits) {
      await open(page, dev, path);
      await project.edit(file, from, to);
      await expect.poll(() => dev.fetch(path), { intervals: [20], timeout: 5000 }).toContain(shown);
      await page.reload();
      await expect.poll(() => page.content()).toContain(shown);
    }
    expect(messages.filter((message) => /^(error|uncaught)/.test(message))).toEqual([]);
  });

  test("once the page shows an edit, the document has it", async ({ page, dev, project }) => {
    await open(page, dev);
    for (let step = 0; step < 10; step++) {
      await project.edit("site/components/Label.tsx", step ? `Label ${step - 1}<` : ">Label<", step ? `Label ${step}<` : ">Label 0<");
      await page.waitForFunction((step) => document.querySelector("#text")?.textContent === `Label ${step}`, step, { polling: 5 });
      expect(await dev.fetch("/")).toContain(`<span id="text">Label ${step}</span>`);
    }
    await expectSameDocument(page);
  });
});

test("without prerendering, browsers render, and what would fail in a build is not told", async ({ page, project, messages }) => {
  await project.edit("site/components/Label.tsx", "return (", 'if (typeof window !== "object") throw new Error("the label threw");\n  return (');
  const dev = await project.serve("0", "--no-prerender");
  expect(await dev.fetch("/")).toContain('<div id="root"></div>');
  await open(page, dev);
  await countTo(page, "label", 2);
  await project.edit("site/pages/index.tsx", "<h1>Home", "<h1>Home again");
  await expect(page.locator("h1")).toHaveText("Home again");
  await expectCounts(page, { label: 2 });
  await expectSolved(page);
  expect(dev.output).not.toContain("the label threw");
  expect(messages.filter((message) => /^(error|uncaught)/.test(message))).toEqual([]);
});

test.describe("pages that are on their way", () => {
  test("have the newest state in the end", async ({ page, dev, project }) => {
    await open(page, dev);
    for (let step = 0; step < 12; step++) {
      const reload = page.reload({ waitUntil: "commit" });
      await new Promise((resolve) => setTimeout(resolve, step * 15));
      await project.edit("site/components/Label.tsx", step ? `Label ${step - 1}<` : ">Label<", step ? `Label ${step}<` : ">Label 0<");
      await project.edit("site/styles.css", `rgb(0, 0, ${step + 1})`, `rgb(0, 0, ${step + 2})`);
      await reload;
      await expect(page.locator("#text")).toHaveText(`Label ${step}`);
      // What was edited while the page loaded may load it once more.
      const shown = async () => expect(await colorOf(page, "main")).toBe(`rgb(0, 0, ${step + 2})`);
      await expect(shown).toPass({ intervals: [20], timeout: 15_000 });
    }
    await hydrated(page);
    await countTo(page, "page", 1);
    await expect(dialog(page)).not.toBeVisible();
  });

  test("and those of a server that is started anew", async ({ page, project }) => {
    const dev = await project.serve();
    await open(page, dev);
    await dev.stop();
    await project.edit("site/components/Label.tsx", ">Label<", ">Other label<");
    await project.serve(new URL(dev.origin).port);
    await expect(page.locator("#text")).toHaveText("Other label");
    await hydrated(page);
    await project.edit("site/components/Label.tsx", ">Other label<", ">Last label<");
    await expect(page.locator("#text")).toHaveText("Last label");
  });
});

test.describe("ways of saving", () => {
  const file = "site/components/Label.tsx";
  const ways: [string, (project: Project, text: string) => Promise<void>][] = [
    ["in place", (project, text) => project.write(file, text)],
    [
      "by replacing",
      async (project, text) => {
        await project.write(`${file}.tmp`, text);
        await project.move(`${file}.tmp`, file);
      },
    ],
    [
      "with a backup",
      async (project, text) => {
        await rename(project.path(file), project.path(`${file}~`));
        await project.write(file, text);
        await project.remove(`${file}~`);
      },
    ],
    [
      "by deleting and creating",
      async (project, text) => {
        await project.remove(file);
        await new Promise((resolve) => setTimeout(resolve, 80));
        await project.write(file, text);
      },
    ],
    [
      "with a pause after truncating",
      async (project, text) => {
        await writeFile(project.path(file), "");
        await new Promise((resolve) => setTimeout(resolve, 30));
        await project.write(file, text);
      },
    ],
  ];
  for (const [name, save] of ways) {
    test(`saves ${name} show, and nothing is called missing`, async ({ page, dev, project }) => {
      await open(page, dev);
      await countTo(page, "page", 2);
      const text = await project.read(file);
      for (let step = 0; step < 5; step++) {
        await save(project, text.replace(">Label<", `>Label ${step}<`));
        await expect(page.locator("#text")).toHaveText(`Label ${step}`);
      }
      await expectCounts(page, { page: 2 });
      await expectSameDocument(page);
      await expect(overlay(page)).toHaveCount(0);
      expect(dev.output).not.toContain("error");
    });
  }

  test("20 files at once are one update", async ({ page, project }) => {
    const parts = Array.from({ length: 20 }, (_, number) => `Part${number}`);
    const part = (name: string, text: string) => `export function ${name}() { return <i>${text} </i>; }`;
    for (const name of parts) await project.write(`site/components/${name}.tsx`, part(name, "old"));
    const imports = parts.map((name) => `import { ${name} } from "../components/${name}";`).join("\n");
    await project.write("site/pages/play.tsx", `${imports}\nexport default function Play() { return <h1>${parts.map((name) => `<${name} />`).join("")}</h1>; }`);
    const dev = await project.serve();
    await open(page, dev, "/play/");
    await Promise.all(parts.map((name) => project.write(`site/components/${name}.tsx`, part(name, "new"))));
    await expect(page.locator("h1")).toHaveText("new ".repeat(20).trim());
    await expectSameDocument(page);
    await settle(page);
    expect(dev.times("updated site/components/Part")).toBeLessThanOrEqual(3);
  });
});

test("a branch that is switched to is one update", async ({ page, project }) => {
  const git = async (...parameters: string[]) => {
    const of = ["-C", project.folder, "-c", "user.name=a", "-c", "user.email=a@example.com"];
    await promisify(execFile)("git", [...of, ...parameters]);
  };
  await project.write(".gitignore", "node_modules\n");
  const name = (number: number) => `site/data/many/part-${number}.ts`;
  const all = [...Array(400).keys()];
  const imports = all.map((number) => `import { word as word${number} } from "../data/many/part-${number}";`).join("\n");
  const words = all.map((number) => `word${number}`).join(", ");
  const about = `${imports}\nexport default () => <p id="words">{[${words}].join(" ")}</p>;\n`;
  await project.write("site/pages/about.tsx", about);
  for (const number of all) await project.write(name(number), `export const word = "old";\n`);
  await git("init", "--quiet", "--initial-branch", "one");
  await git("add", "--all");
  await git("commit", "--quiet", "-m", "one");
  await git("checkout", "--quiet", "-b", "two");
  for (const number of all) await project.write(name(number), `export const word = "new";\n`);
  await git("commit", "--quiet", "--all", "-m", "two");
  await git("checkout", "--quiet", "one");
  const dev = await project.serve();
  await open(page, dev, "/about/");
  await page.evaluate(() => {
    const look = () => (window.notes ??= []).push(document.querySelector("#words")!.textContent!);
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
  });
  for (const [branch, word] of [["two", "new"], ["one", "old"]] as const) {
    await git("checkout", "--quiet", branch);
    await expect(page.locator("#words")).toHaveText(Array(all.length).fill(word).join(" "));
  }
  const mixed = (await notes(page)).filter((shown) => shown.includes("old") && shown.includes("new"));
  expect(mixed, "no update is of two branches").toEqual([]);
  await expectSameDocument(page);
});

test.describe("beside others", () => {
  test("two servers of one project", async ({ page, context, project }) => {
    const [one, other] = [await project.serve(), await project.serve()];
    for (const dev of [one, other]) expect((await fetch(dev.origin)).headers.get("x-portalgen-project")).toBe("my-portal");
    const second = await context.newPage();
    await open(page, one);
    await open(second, other);
    await project.edit("site/pages/index.tsx", "<h1>Home", "<h1>Home again");
    for (const tab of [page, second]) {
      await expect(tab.locator("h1")).toHaveText("Home again");
      await expectSameDocument(tab);
    }
  });

  test("a build writes beside it, and nothing is updated", async ({ page, dev, project }) => {
    await open(page, dev);
    await settle(page);
    const before = dev.times("updated");
    await project.build();
    await page.waitForTimeout(1000);
    expect(dev.times("updated")).toBe(before);
    await expectSameDocument(page);
    await project.edit("site/pages/index.tsx", "<h1>Home", "<h1>Home again");
    await expect(page.locator("h1")).toHaveText("Home again");
  });
});

test.describe("without React Refresh", () => {
  async function serve(project: Project): Promise<Dev> {
    await project.install("react-refresh");
    return project.serve();
  }

  test("pages are never stale, and the command is told once", async ({ page, project }) => {
    const dev = await serve(project);
    await open(page, dev);
    await project.edit("site/components/Label.tsx", ">Label<", ">Other label<");
    await expect(page.locator("#text")).toHaveText("Other label");
    await project.edit("site/pages/index.tsx", "<h1>Home", "<h1>Home again");
    await expect(page.locator("h1")).toHaveText("Home again");
    await project.edit("site/components/Header.tsx", "<b>Header", "<b>Other header");
    await expect(page.locator("header b")).toHaveText("Other header");
    await project.edit("site/styles.css", "rgb(0, 0, 1)", "rgb(9, 0, 1)");
    await expect.poll(() => colorOf(page, "main")).toBe("rgb(9, 0, 1)");
    await dev.says(/npm install .*react-refresh/);
    expect(dev.output.match(/npm install .*react-refresh/g)).toHaveLength(1);
  });

  test("it is taken over once it is installed", async ({ page, project }) => {
    const dev = await serve(project);
    await open(page, dev);
    await project.install();
    await settle(page);
    await page.reload();
    await expect(page.locator("h1")).toHaveText("Home");
    await countTo(page, "page", 2);
    await project.edit("site/pages/index.tsx", "<h1>Home", "<h1>Home again");
    await expect(page.locator("h1")).toHaveText("Home again");
    await expectCounts(page, { page: 2 });
  });
});
