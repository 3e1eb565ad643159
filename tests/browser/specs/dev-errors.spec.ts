// Errors of pages of `portalgen dev`: told with the place in the sources, whatever the page runs, and opened in the editor there.
import { chmod, readFile, writeFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { badge, dialog } from "../support/dev-page.ts";
import { countTo, type Dev, expect, expectSameDocument, open, type Project, test } from "../support/dev-portal.ts";

/** An editor that notes what it is asked to open. */
async function useEditor(project: Project) {
  const program = project.path("../code");
  await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$2" >> "${project.path("../opened")}"\n`);
  await chmod(program, 0o755);
  project.variables["PORTALGEN_EDITOR"] = program;
}

function opened(project: Project): Promise<string[]> {
  return readFile(project.path("../opened"), "utf8").then((text) => text.trim().split("\n"), () => []);
}

/** Where a text is in a file: `site/a.tsx:3:5`. */
async function placeOf(project: Project, file: string, text: string): Promise<string> {
  const lines = (await project.read(file)).split("\n");
  const line = lines.findIndex((line) => line.includes(text));
  if (line < 0) throw new Error(`${file} has no ${text}`);
  return `${file}:${line + 1}:${[...lines[line]!.slice(0, lines[line]!.indexOf(text))].length + 1}`;
}

function problem(page: Page) {
  return dialog(page).getByRole("heading", { level: 2 });
}

/** The place of what is shown, and not of one of its calls. */
function place(page: Page) {
  return dialog(page).locator("article > button.place");
}

async function expectSolved(page: Page) {
  await expect(dialog(page)).not.toBeVisible();
  await expect(badge(page)).not.toBeVisible();
}

interface Mistake {
  name: string;
  path: string;
  file: string;
  /** The mistake as an edit. */
  from: string;
  to: string;
  /** What has to be clicked on. */
  click?: string;
  message: RegExp;
  /** What is at the place. */
  at: string;
  /** React does not mind while it hydrates. */
  isFineAtFirst?: boolean;
}

const label = "site/components/Label.tsx";
const inBrowser = `typeof window === "object"`;

const mistakes: Mistake[] = [
  {
    name: "while it renders",
    path: "/",
    file: label,
    from: "return (",
    to: `// 关于\n  if (${inBrowser}) /* 错 */ throw new Error("in render");\n  return (`,
    message: /in render/,
    at: "Error(",
  },
  {
    name: "in an event handler",
    path: "/",
    file: label,
    from: "setCount(count + 1)",
    to: `{ throw new TypeError("in the handler"); }`,
    click: "#label",
    message: /TypeError: in the handler/,
    at: "TypeError(",
  },
  {
    name: "in an effect",
    path: "/",
    file: label,
    from: "const [count, setCount] = useState(0);",
    to: `const [count, setCount] = useState(0);\n  useEffect(() => {\n    undefinedFunction();\n  }, []);`,
    message: /undefinedFunction is not defined/,
    at: "undefinedFunction();",
  },
  {
    name: "in a promise",
    path: "/",
    file: label,
    from: "setCount(count + 1)",
    to: `void Promise.resolve().then(() => { throw new Error("in a promise"); })`,
    click: "#label",
    message: /in a promise/,
    at: "Error(",
  },
  {
    name: "in a lazy part",
    path: "/lazy",
    file: "site/components/Cards.tsx",
    from: "return (",
    to: `if (${inBrowser}) throw new Error("in a lazy part");\n  return (`,
    click: "#open",
    message: /in a lazy part/,
    at: "Error(",
  },
  {
    name: "of React's, over a style",
    path: "/",
    file: label,
    from: "<p>",
    to: `<p id="it" style={${inBrowser} ? ("color:red" as never) : undefined}>`,
    message: /The style prop expects a mapping/,
    // Of an element that is not new, React remembers where the code was that has been replaced.
    at: "Label() {",
    isFineAtFirst: true,
  },
  {
    name: "of React's, over the style of a new element",
    path: "/",
    file: label,
    from: "</p>",
    to: `{${inBrowser} && <b style={"color:red" as never}>new</b>}</p>`,
    message: /The style prop expects a mapping/,
    at: "<b style=",
    isFineAtFirst: true,
  },
  {
    name: "of React's, over an object as a child",
    path: "/",
    file: label,
    from: `<span id="text">Label</span>`,
    to: `<span id="text">{${inBrowser} ? ({ a: 1 } as never) : null}</span>`,
    message: /Objects are not valid as a React child/,
    // React tells the component, and not the element.
    at: "Label() {",
  },
  {
    name: "of React's, over a component that is none",
    path: "/",
    file: label,
    from: `<span id="text">Label</span>`,
    to: `{${inBrowser} && <Nothing.there />}`,
    message: /Element type is invalid/,
    at: "<Nothing.there",
  },
];

const imports = `import { useState } from "react";`;

for (const mistake of mistakes) {
  for (const updates of mistake.isFineAtFirst ? [1, 3] : [0, 1, 3]) {
    const when = updates === 0 ? "from the start" : updates === 1 ? "after an update" : `after ${updates} updates`;
    test(`an error ${mistake.name}, ${when}`, async ({ page, project }) => {
      const { path, file, from, to, click, message, at } = mistake;
      if (file === label) {
        await project.edit(file, imports, `import { useEffect, useState } from "react";\nconst Nothing: any = {};\nvoid [useEffect, Nothing];`);
      }
      if (updates === 0) await project.edit(file, from, to);
      await useEditor(project);
      const dev = await project.serve();
      await open(page, dev, path);
      if (click === "#open" && updates > 0) {
        await page.locator("#open").click();
        await expect(page.locator("#cards")).toBeVisible();
      }
      for (let update = 1; update < updates; update++) {
        const shown = file === label ? page.locator("#text") : page.locator("#cards span");
        const [before, after] = file === label ? [">Label", `>Label ${update} `] : [`format("cards`, `format("${update} cards`];
        await project.write(file, `// ${update}\n\n${await project.read(file)}`);
        await project.edit(file, before, after);
        await expect(shown).toContainText(String(update));
        await project.edit(file, after, before);
        await expect(shown).not.toContainText(String(update));
      }
      if (updates > 0) {
        await project.edit(file, from, to);
        await dev.says(new RegExp(`updated ${file}`));
        if (click !== "#open") await updated(page);
      }
      if (click && !(click === "#open" && updates > 0)) await page.locator(click).click();
      const where = await placeOf(project, file, at === "Error(" || at === "TypeError(" ? `new ${at}` : at);
      await expect(problem(page)).toContainText(message);
      await expect(place(page)).toHaveAccessibleName(`Open ${where} in the editor`);
      await expect(dialog(page).locator("article > .code .marked")).toContainText(at);
      await dev.says(new RegExp(`${path} failed in the browser: [^]*--> ${where}\\b`));
      await place(page).click();
      await expect.poll(() => opened(project)).toEqual([project.path(where)]);
      // Calls of the site are links as well.
      const call = dialog(page).getByRole("button", { name: `Open ${where} in the editor` }).last();
      await call.click();
      await expect.poll(() => opened(project)).toHaveLength(2);
      await mend(project, dev, mistake);
      await expectSolved(page);
    });
  }
}

async function mend(project: Project, dev: Dev, { file, from, to }: Mistake) {
  const before = dev.times("updated");
  await project.edit(file, to, from);
  await expect.poll(() => dev.times("updated")).toBeGreaterThan(before);
}

/** Waits until the page has nothing left to take over. */
async function updated(page: Page) {
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
}

test("a module that throws while it is replaced", async ({ page, project }) => {
  await useEditor(project);
  const dev = await project.serve();
  await open(page, dev);
  await countTo(page, "label", 2);
  // Not in the engine, whose complaint might come first.
  const broken = `const broken = (typeof window === "object" ? null : {}) as any;\nbroken.property;\n`;
  await project.edit(label, "export function", `${broken}export function`);
  const where = await placeOf(project, label, "property;");
  await expect(problem(page)).toContainText("Cannot read properties of null");
  await expect(dialog(page)).toContainText("Update failed");
  await expect(place(page)).toHaveAccessibleName(`Open ${where} in the editor`);
  await place(page).click();
  await expect.poll(() => opened(project)).toEqual([project.path(where)]);
  // Another update does not take it over; the one that mends it brings everything.
  await project.edit("site/components/Panel.tsx", "<h2>Panel", "<h2>Sheet");
  await expect(problem(page)).toContainText("Cannot read properties of null");
  await project.edit(label, broken, "");
  await expect(page.locator("h2", { hasText: "Sheet" })).toBeVisible();
  await expectSolved(page);
  await expectSameDocument(page);
});

test("what an error was caused by is shown in full", async ({ page, project }) => {
  await project.write("site/deep.ts", `export function deep(): never {\n  throw new RangeError("the deepest");\n}\n`);
  await project.edit(
    label,
    imports,
    `import { useState } from "react";\nimport { deep } from "../deep";\nfunction middle() {\n  try {\n    deep();\n  } catch (cause) {\n    throw new Error("the middle", { cause });\n  }\n}`,
  );
  const thrown = `{ try { middle(); } catch (cause) { throw new AggregateError([cause, "a text", null, { get message() { throw 1; } }, Object.freeze(new Error("cold"))], "all of it"); } }`;
  await project.edit(label, "setCount(count + 1)", thrown);
  await useEditor(project);
  const dev = await project.serve();
  await open(page, dev);
  await page.locator("#label").click();
  await expect(problem(page)).toContainText("AggregateError: all of it");
  await expect(place(page)).toHaveAccessibleName(`Open ${await placeOf(project, label, "new AggregateError")} in the editor`);
  const causes = dialog(page).locator("p.cause");
  const unreadable = "The thrown value cannot be shown: reading it throws another error";
  await expect(causes).toHaveText(["the middle", "a text", "null", unreadable, "cold", "RangeError: the deepest"]);
  await dev.says(/all of it, caused by the middle, caused by a text, caused by null,[^]*caused by RangeError: the deepest/);
  const where = await placeOf(project, "site/deep.ts", "new RangeError");
  await dialog(page).getByRole("button", { name: `Open ${where} in the editor` }).click();
  await expect.poll(() => opened(project)).toEqual([project.path(where)]);
});

test("a difference in hydration has the component, both texts and the place", async ({ page, project }) => {
  await project.edit(label, ">Label<", `>{${inBrowser} ? "of the browser" : "of the engine"}<`);
  const dev = await project.serve();
  await page.goto(dev.origin);
  await expect(dialog(page)).toContainText("Hydration mismatch");
  await expect(dialog(page).locator(".difference")).toContainText("<Label>");
  for (const text of ["of the browser", "of the engine"]) await expect(dialog(page).locator(".sides")).toContainText(text);
  await expect(place(page)).toContainText(label);
  await dev.says(/--> site\/components\/Label\.tsx:/);
  await dev.says(/prerendered: of the engine/);
});

test("an attribute that differs has the component and the place", async ({ page, project }) => {
  await project.edit(label, `<span id="text">`, `<span id="text" title={${inBrowser} ? "of the browser" : "of the engine"}>`);
  const dev = await project.serve();
  await page.goto(dev.origin);
  await expect(dialog(page)).toContainText("of the browser");
  await expect(place(page)).toContainText(label);
});

test("once an error is mended, pages change without a load again", async ({ page, dev, project }) => {
  await open(page, dev);
  await project.edit(label, "return (", `if (${inBrowser}) throw new Error("for a while");\n  return (`);
  await expect(problem(page)).toContainText("for a while");
  await dialog(page).getByRole("button", { name: "Close" }).click();
  // The visitors' notice is there as well.
  await expect(page.getByRole("alert").filter({ hasText: /页面的一部分|Part of this page/ })).toBeVisible();
  await project.edit(label, `if (${inBrowser}) throw new Error("for a while");\n  return (`, "return (");
  await expectSolved(page);
  await expect(page.getByRole("alert").filter({ hasText: /页面的一部分|Part of this page/ })).toHaveCount(0);
  await countTo(page, "label", 1);
  await page.getByRole("link", { name: "About" }).click();
  await expect(page.locator("h1")).toHaveText("About");
  await expectSameDocument(page);
});

test("while it is not mended, pages change by full loads", async ({ page, dev, project }) => {
  await open(page, dev);
  await project.edit(label, "return (", `if (${inBrowser}) throw new Error("for a while");\n  return (`);
  await expect(problem(page)).toContainText("for a while");
  // An update of something else mends nothing.
  await project.edit("site/components/Table.tsx", "return", "return /* still */");
  await dev.says(/updated site\/components\/Table\.tsx/);
  await updated(page);
  const load = page.waitForEvent("load");
  await page.evaluate(() => document.querySelector<HTMLAnchorElement>(`a[href*="about"]`)!.click());
  await load;
  await expect(page.locator("h1")).toHaveText("About");
});

test("what a page asks to be opened is nothing but what it was told", async ({ page, project }) => {
  await useEditor(project);
  const dev = await project.serve();
  const sockets: string[] = [];
  page.on("websocket", (socket) => sockets.push(socket.url()));
  await open(page, dev);
  await page.evaluate((url) => {
    const socket = new WebSocket(url);
    socket.onopen = () => {
      const evil = ["/etc/passwd", "../../.ssh/id_rsa", "site/components/Label.tsx", "site/components/Label.tsx:1:1", "", "-1"];
      for (const id of evil) socket.send(JSON.stringify({ type: "open", id }));
      const own = `${location.origin}/__portalgen/`;
      const places = ["entry.js:-1:1", "entry.js:1:1000000000", "entry.js:1000000000:1", "../../etc/passwd:1:1", "map/..%2f..%2fetc/passwd:1:1"];
      const stack = places.map((place) => `    at f (${own}${place})`).join("\n") + "\n    at g (file:///etc/passwd:1:1)";
      socket.send(JSON.stringify({ type: "error", id: "evil", kind: "error", severity: "error", message: "evil", stack, causes: [], route: "/", origin: location.origin }));
      socket.send(JSON.stringify({ type: "open", id: "evil" }));
      Object.assign(window, { socket });
    };
  }, sockets[0]!);
  await dev.says(/failed in the browser: evil/);
  const answered = await dev.fetch("/__portalgen/map/..%2f..%2f..%2fetc%2fpasswd.map");
  expect(answered).toBe("");
  await updated(page);
  expect(await opened(project)).toEqual([]);
  expect(dev.output).not.toMatch(/evil[^]*-->/);
});

test("an error of the engine has its causes, its place and the imports that led there", async ({ page, project }) => {
  const dev = await project.serve();
  await open(page, dev);
  const inEngine = `typeof window !== "object"`;
  await project.write("site/deepest.ts", `if (${inEngine}) {\n  throw new Error("outer", { cause: new AggregateError([new RangeError("inner"), "a text"], "many") });\n}\nexport const deepest = 1;\n`);
  await project.write("site/deep.ts", `export { deepest } from "./deepest";\n`);
  await project.edit(label, imports, `${imports}\nimport { deepest } from "../deep";\nvoid deepest;`);
  await expect(problem(page)).toContainText("caused by AggregateError: many, caused by RangeError: inner, caused by the string \"a text\"");
  await expect(dialog(page)).toContainText("Prerendering failed");
  await expect(place(page)).toContainText("site/deepest.ts:2:");
  await expect(dialog(page)).toContainText("site/components/Label.tsx -> site/deep.ts -> site/deepest.ts");
  await project.edit(label, `${imports}\nimport { deepest } from "../deep";\nvoid deepest;`, imports);
  await expectSolved(page);
});

test("what React complains of in the engine has the component and the line", async ({ page, project }) => {
  const dev = await project.serve();
  await open(page, dev);
  const inEngine = `typeof window !== "object"`;
  await project.edit(label, "</p>", `{${inEngine} && <b style={"color:red" as never}>new</b>}</p>`);
  await expect(problem(page)).toContainText("<Label>");
  const where = await placeOf(project, label, "<b style=");
  await expect(place(page)).toContainText(where.replace(/:\d+$/, ":"));
  await dev.says(new RegExp(`--> ${where.replace(/:\d+$/, ":")}`));
  expect(dev.output).not.toContain("needs a browser");
});

for (const [name, text, message] of [
  ["is empty", "", /about\.tsx is empty/],
  ["has no default export", "export const About = 1;\n", /no default export/],
  ["exports by default what another module does not have", `export { nothing as default } from "../layout";\n`, /no default export/],
  ["exports no component", "export default undefined as unknown;\n", /not a component/],
] as const) {
  test(`a page that ${name} leaves the last one, and the next one shows`, async ({ page, dev, project }) => {
    await open(page, dev, "/about/");
    await countTo(page, "header", 2);
    const source = await project.read("site/pages/about.tsx");
    await project.write("site/pages/about.tsx", text);
    await expect(problem(page).first()).toContainText(message);
    await expect(page.locator("h1")).toHaveText("About");
    await project.write("site/pages/about.tsx", source.replace("About</h1>", "About again</h1>"));
    await expect(page.locator("h1")).toHaveText("About again");
    await expectSolved(page);
    await expectSameDocument(page);
  });
}

test("once everything around a page is mended, the page that was moved to shows", async ({ page, dev, project }) => {
  await open(page, dev);
  await page.getByRole("link", { name: "About" }).click();
  await expect(page.locator("h1")).toHaveText("About");
  const layout = "site/layout.tsx";
  await project.edit(layout, "<ThemeProvider>", `<ThemeProvider>{undefined!["gone"]}`);
  await expect(problem(page).first()).toContainText("gone");
  await project.edit("site/pages/about.tsx", "About</h1>", "About again</h1>");
  await project.edit(layout, `{undefined!["gone"]}`, "");
  await expectSolved(page);
  await expect(page.locator("h1")).toHaveText("About again");
  await expect(page).toHaveURL(/\/about\/$/);
  await expectSameDocument(page);
});
