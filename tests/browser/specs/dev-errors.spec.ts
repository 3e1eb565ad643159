// Errors of pages of `portalgen dev`: told with the place in the sources, whatever the page runs, and opened in the editor there.
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { badge, dialog } from "../support/dev-page.ts";
import { countTo, type Dev, expect, expectSameDocument, open, type Project, test } from "../support/dev-portal.ts";
import { hydrated } from "../support/test.ts";

/** An editor that notes what it is asked to open. */
async function editor(project: Project): Promise<{ PORTALGEN_EDITOR: string }> {
  const program = project.path("../code");
  await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$2" >> "${project.path("../opened")}"\n`);
  await chmod(program, 0o755);
  return { PORTALGEN_EDITOR: program };
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

/** Waits until the page shows an edit of its heading. */
async function edited(page: Page, project: Project, file: string, from: string, to: string, selector: string) {
  await project.edit(file, from, to);
  await expect(page.locator(selector)).toHaveText(to.replace(/<.*?>/g, ""));
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
        await project.edit(file, imports, `import { useEffect, useState } from "react";\nconst Nothing: any = {};\nexport const none = [useEffect, Nothing];`);
        await project.edit(file, "export const none = [useEffect, Nothing];", "void [useEffect, Nothing];");
      }
      if (updates === 0) await project.edit(file, from, to);
      const dev = await project.serve("0", await editor(project));
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
