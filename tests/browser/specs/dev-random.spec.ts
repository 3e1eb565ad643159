// Random edits while a page shows: after each save, an open page is what one is that is opened then.
import type { Page } from "@playwright/test";
import { dialog } from "../support/dev-page.ts";
import { expect, open, type Project, test } from "../support/dev-portal.ts";
import { Random } from "../support/random.ts";

/** How many saves a test makes; `PORTALGEN_EDITS=500` makes more of them. */
const saves = Number(process.env["PORTALGEN_EDITS"] ?? 40);
const firstSeed = Number(process.env["PORTALGEN_EDITS_SEED"] ?? 1);

const parts = ["a", "b", "c", "d", "e"];
const sheets = ["one.css", "two.module.css"];

/** The sources of a page and of what it is made of. */
class Sources {
  private made = 0;
  readonly log: string[] = [];
  private readonly random: Random;

  constructor(
    private readonly project: Project,
    seed: number,
  ) {
    this.random = new Random(seed);
  }

  async writeAll() {
    for (const sheet of sheets) await this.writeSheet(sheet);
    for (const part of parts) await this.writePart(part);
    await this.writeLayout();
    await this.writePage();
  }

  /** Makes one or a few edits at once. */
  async save() {
    for (let count = this.random.chance(80) ? 1 : 3; count > 0; count--) {
      const part = this.random.pick(parts);
      const edits: [string, () => Promise<void>][] = [
        ["page", () => this.writePage()],
        ["layout", () => this.writeLayout()],
        [`sheet`, () => this.writeSheet(this.random.pick(sheets))],
        ...Array.from({ length: 5 }, (): [string, () => Promise<void>] => [`part ${part}`, () => this.writePart(part)]),
      ];
      const [name, edit] = this.random.pick(edits);
      this.log.push(name);
      await edit();
    }
    this.log.push("saved");
  }

  private word(): string {
    return `word${++this.made}`;
  }

  /** Imports of parts behind this one, so that none contains itself, and what to render of them. */
  private imports(folder: string, behind: string[]): { text: string; shown: string } {
    let [text, shown] = ["", ""];
    for (const part of behind.filter(() => this.random.chance(45))) {
      const name = part.toUpperCase();
      const [line, element] = this.random.pick([
        [`import { Part as ${name} } from "${folder}${part}";`, `<${name} />`],
        [`import ${name} from "${folder}${part}";`, `<${name} />`],
        [`import * as ${name} from "${folder}${part}";`, `<b>{${name}.word}</b>`],
        [`import { word as word${name} } from "${folder}${part}";`, `<b>{word${name}}</b>`],
        [`import { word as ${name} } from "${folder}${part}";\nconst now${name} = String(${name});`, `<b>{now${name}}</b>`],
        [`const ${name} = lazy(() => import("${folder}${part}"));`, `<Suspense fallback="…"><${name} /></Suspense>`],
        [`export * from "${folder}${part}";`, ""],
      ] as const);
      text += `${line}\n`;
      shown += element;
    }
    if (this.random.chance(40)) text += `import "${folder}one.css";\n`;
    return { text, shown };
  }

  private async writePart(part: string) {
    const { text, shown } = this.imports("./", parts.slice(parts.indexOf(part) + 1));
    const [word, states] = [this.word(), this.random.below(3)];
    const state = Array.from({ length: states }, (_, index) => `  const [state${index}] = useState("${this.word()}");\n`).join("");
    // Where it is kept, what a state began with is not what it would begin with now.
    const uses = Array.from({ length: states }, (_, index) => `void state${index};`).join(" ");
    const wrapped = this.random.pick(["Part", "Part", "memo(Part)"]);
    const more = this.random.pick(["", `export const more${part.toUpperCase()} = "${word}";\n`]);
    await this.project.write(
      `site/parts/${part}.tsx`,
      `import { lazy, memo, Suspense, useState } from "react";\nimport * as styles from "./two.module.css";\nvoid [lazy, memo, Suspense, useState];\n` +
        `${text}export const word = "${word}";\n${more}export function Part() {\n${state}  ${uses}\n` +
        `  return <span className={styles.box}>${word} {word} ${shown}</span>;\n}\nexport default ${wrapped};\n`,
    );
  }

  private async writePage() {
    const { text, shown } = this.imports("../parts/", parts);
    await this.project.write(
      "site/pages/about.tsx",
      `import { lazy, Suspense } from "react";\nvoid [lazy, Suspense];\n${text}\n` +
        `export default function Page() {\n  return <p className="text">${this.word()} ${shown}</p>;\n}\n`,
    );
  }

  private async writeLayout() {
    const { text, shown } = this.imports("./parts/", parts);
    await this.project.write(
      "site/layout.tsx",
      `import { lazy, type ReactNode, Suspense } from "react";\nvoid [lazy, Suspense];\n${text}\n` +
        `export default function Layout({ children }: { children: ReactNode }) {\n` +
        `  return <main title="${this.word()}">${shown}{children}</main>;\n}\n`,
    );
  }

  private async writeSheet(sheet: string) {
    const color = `rgb(${this.random.below(200)}, ${this.random.below(200)}, ${this.random.below(200)})`;
    const selector = sheet.endsWith(".module.css") ? ".box" : this.random.pick(["p.text", "main", "b"]);
    await this.project.write(`site/parts/${sheet}`, `${selector} { color: ${color} }\n`);
  }
}

/** What is on the screen: the elements with their colours. */
function shown(page: Page): Promise<string> {
  return page.evaluate(() => {
    const describe = (node: Node): string => {
      if (!(node instanceof Element)) return node instanceof Comment ? "" : (node.textContent ?? "");
      const children = [...node.childNodes].map(describe).join("");
      return `<${node.localName} ${getComputedStyle(node).color} ${node.getAttribute("title") ?? ""}>${children}</>`;
    };
    return describe(document.querySelector("main") ?? document.body);
  });
}

/** What the overlay says, if it shows. */
async function complaint(page: Page): Promise<string> {
  return (await dialog(page).isVisible()) ? dialog(page).innerText() : "";
}

for (const seed of [firstSeed, firstSeed + 1]) {
  test(`an open page follows random edits (${seed})`, async ({ page, context, project }) => {
    test.setTimeout(60_000 + saves * 3000);
    const sources = new Sources(project, seed);
    await sources.writeAll();
    const dev = await project.serve();
    await open(page, dev, "/about/");
    const other = await context.newPage();
    for (let save = 0; save < saves; save++) {
      await sources.save();
      // Names that one edit has taken away may still be asked for: that is told, and the page goes on.
      await expect(async () => {
        await other.goto(`${dev.origin}/about/`);
        const [own, others] = [await complaint(page), await complaint(other)];
        if (own && others) return;
        expect(own, "both show mistakes, or none").toBe(others);
        expect(await shown(page)).toBe(await shown(other));
      }, sources.log.join(", ")).toPass({ intervals: [20, 50, 100, 300], timeout: 10_000 });
    }
  });
}
