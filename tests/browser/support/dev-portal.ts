// A portal that `portalgen dev` serves while a test edits its sources.
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, type Page, test as base } from "@playwright/test";
import { binary, build, copySources, packagesOfSite, withoutSettings } from "./portalgen.ts";
import { hydrated, isMarked, mark } from "./test.ts";

export { expect };

/** The sources of a portal. */
export class Project {
  readonly servers: Dev[] = [];
  /** For the environment of its servers. */
  readonly variables: Record<string, string>;

  private constructor(readonly folder: string) {
    this.variables = { XDG_STATE_HOME: this.state };
  }

  /** A copy of `portals/dev`. */
  static async make(folder: string): Promise<Project> {
    await copySources("dev", folder);
    const project = new Project(folder);
    await project.install();
    return project;
  }

  /** Installs the packages of the repository's site, except some. */
  async install(...except: string[]) {
    const modules = join(this.folder, "site/node_modules");
    await rm(modules, { recursive: true, force: true });
    await mkdir(modules, { recursive: true });
    const packages = (await packagesOfSite()).filter(({ name }) => !except.includes(name));
    await Promise.all(packages.map(({ name, path }) => symlink(path, join(modules, name))));
  }

  /** Where programs keep what they need the next time: beside the project, for this test alone. */
  get state(): string {
    return join(this.folder, "../state");
  }

  path(file: string): string {
    return join(this.folder, file);
  }

  read(file: string): Promise<string> {
    return readFile(this.path(file), "utf8");
  }

  async write(file: string, text: string) {
    await mkdir(dirname(this.path(file)), { recursive: true });
    await writeFile(this.path(file), text);
  }

  /** Replaces a text that must be in a file. */
  async edit(file: string, from: string, to: string) {
    const text = await this.read(file);
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
    await this.write(file, text.replaceAll(from, to));
  }

  /** Replaces texts in several files with nothing between the writes, so that the server sees one save. */
  async editTogether(...edits: [file: string, from: string, to: string][]) {
    const texts = await Promise.all(edits.map(([file]) => this.read(file)));
    const missing = edits.find(([, from], at) => !texts[at]!.includes(from));
    if (missing) throw new Error(`${missing[0]} has no ${missing[1]}`);
    for (const [at, [file, from, to]] of edits.entries()) writeFileSync(this.path(file), texts[at]!.replaceAll(from, to));
  }

  async remove(file: string) {
    await rm(this.path(file));
  }

  async move(from: string, to: string) {
    await rename(this.path(from), this.path(to));
  }

  /** Builds it, as `portalgen build` does, into `dist/`. */
  async build() {
    await build(this.folder, join(this.folder, "dist"), []);
  }

  /** Makes a link to a file or folder. */
  async link(target: string, path: string) {
    await mkdir(dirname(this.path(path)), { recursive: true });
    await symlink(this.path(target), this.path(path));
  }

  /** Serves it with `portalgen dev`: at a port that is free, or without one at that of routes.toml. */
  async serve(port = "0", ...options: string[]): Promise<Dev> {
    const dev = await Dev.start(this.folder, [...(port ? ["--port", port] : []), ...options], this.variables);
    this.servers.push(dev);
    return dev;
  }

  async stop() {
    await Promise.all(this.servers.map((dev) => dev.stop()));
  }
}

/** A `portalgen dev` that runs. */
export class Dev {
  /** What it has written to the terminal. */
  output = "";
  origin = "";
  port = 0;

  private constructor(private readonly process: ChildProcess) {
    for (const stream of [process.stdout!, process.stderr!]) {
      stream.setEncoding("utf8").on("data", (text: string) => (this.output += text));
    }
  }

  static async start(folder: string, options: string[], variables: Record<string, string>): Promise<Dev> {
    const env = { ...withoutSettings(), LC_ALL: "en_US.UTF-8", LANG: "en_US.UTF-8", ...variables };
    const dev = new Dev(spawn(binary, ["dev", "--root", folder, ...options], { env }));
    await dev.says(/shortcuts/);
    const [, scheme, port] = /(https?):\/\/\S+?:(\d+)\//.exec(dev.output)!;
    dev.origin = `${scheme}://127.0.0.1:${port}`;
    dev.port = Number(port);
    return dev;
  }

  /** Waits until the terminal has said something. */
  async says(text: RegExp) {
    await expect.poll(() => this.output, { timeout: 20_000 }).toMatch(text);
  }

  get isRunning(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** How often something was said. */
  times(text: string): number {
    return this.output.split(text).length - 1;
  }

  async fetch(path: string): Promise<string> {
    return (await fetch(this.origin + path)).text();
  }

  async stop() {
    if (!this.isRunning) return;
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.stdin!.end("q\n");
    const impatience = setTimeout(() => this.process.kill("SIGKILL"), 5000);
    await ended;
    clearTimeout(impatience);
  }
}

interface Fixtures {
  project: Project;
  /** Serves the project as it is when the test begins. */
  dev: Dev;
  /** What the page wrote to the console. */
  messages: string[];
}

export const test = base.extend<Fixtures>({
  project: async ({}, use, info) => {
    const workspace = await mkdtemp(join(tmpdir(), "dev-portal-"));
    const project = await Project.make(join(workspace, "my-portal"));
    await use(project);
    for (const { output } of info.status === info.expectedStatus ? [] : project.servers) await info.attach("terminal", { body: output });
    await project.stop();
    await rm(workspace, { recursive: true });
  },

  dev: async ({ project }, use) => {
    const dev = await project.serve();
    await use(dev);
  },

  messages: [
    async ({ page }, use, info) => {
      const messages: string[] = [];
      page.on("console", (message) => messages.push(`${message.type()}: ${message.text()}`));
      page.on("pageerror", (error) => messages.push(`uncaught: ${error}`));
      await use(messages);
      if (info.status !== info.expectedStatus) await info.attach("console", { body: messages.join("\n") });
    },
    { auto: true },
  ],
});

/** Opens a page and waits until React has taken over and the server knows of it. */
export async function open(page: Page, dev: Dev, path = "/") {
  const connected = page.waitForEvent("websocket").then((socket) => socket.waitForEvent("framesent"));
  await page.goto(dev.origin + path);
  await hydrated(page);
  await connected;
  await mark(page);
}

/** The page has not been loaded anew since it was opened. */
export async function expectSameDocument(page: Page) {
  expect(await isMarked(page), "the document is the same").toBe(true);
}

/** Counts how often documents are loaded from now on. */
export function countLoads(page: Page): () => number {
  let count = 0;
  page.on("framenavigated", (frame) => (count += frame === page.mainFrame() ? 1 : 0));
  return () => count;
}

/** Clicks on a counter until it shows a number. */
export async function countTo(page: Page, id: string, number: number) {
  for (let count = Number(await page.locator(`#${id}`).innerText()); count < number; count++) await page.locator(`#${id}`).click();
  await expect(page.locator(`#${id}`)).toHaveText(String(number));
}

/** The colour of the text of an element. */
export function colorOf(page: Page, selector: string): Promise<string> {
  return page.locator(selector).evaluate((element) => getComputedStyle(element).color);
}
