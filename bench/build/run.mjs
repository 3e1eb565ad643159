// One site of one tool: built, edited, looked at.

import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rename } from "node:fs/promises";
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";

import { articles, withTitle, withWord } from "./articles.mjs";

const run = promisify(execFile);

/** The kinds of builds that are measured, in the order in which they follow each other. */
export const kinds = ["cold", "no change", "title edit", "page edit"];

export class Site {
  #articles;
  #edits = 0;
  /** How many folders have been moved away. */
  #removed = 0;

  /** Writes the sources into a folder of their own below `parent`. */
  static async of(tool, count, parent) {
    const site = new Site();
    site.tool = tool;
    site.folder = path.join(parent, `${tool.name}-${count}`);
    site.out = path.join(site.folder, "dist");
    site.#articles = articles(count);
    await mkdir(site.folder);
    await tool.install(site.folder, site.#articles);
    return site;
  }

  /** Does what is to be done before a build of this kind. */
  async prepare(kind) {
    if (kind === "cold") await this.#clean();
    if (kind === "title edit") await this.#edit(withTitle);
    if (kind === "page edit") await this.#edit(withWord);
  }

  /** What a build takes: milliseconds, of processors too, and bytes of memory. */
  async build() {
    const report = path.join(this.folder, "measured.json");
    const [program, ...args] = [process.env.MEASURE, "measure", report, ...this.tool.command(this.folder)];
    // The language, caches outside of the site and what a shell has set must not decide.
    const env = { PATH: process.env.PATH, HOME: this.#cache, XDG_CACHE_HOME: this.#cache, LANG: "C.UTF-8" };
    await run(program, args, { cwd: this.folder, env: { ...env, ASTRO_TELEMETRY_DISABLED: "1" }, maxBuffer: 2 ** 28 });
    return JSON.parse(await readFile(report, "utf8"));
  }

  /** Makes sure that what a build has published is what the sources say: a fast build of something else is worth nothing. */
  async expectPublished() {
    const pages = (await this.#published()).filter((name) => name.endsWith(".html"));
    if (pages.length < this.#articles.length + 1) {
      throw new Error(`${this.tool.name} has made ${pages.length} documents of ${this.#articles.length + 1} pages`);
    }
    for (const article of [this.#articles[0], this.#edited, this.#articles.at(-1)]) await this.#expectArticle(article);
  }

  async #expectArticle({ id, title, content }) {
    const html = await this.#document(`articles/${id}`);
    const texts = [title, content.heading, content.lead, ...content.sections.map((section) => section.text)];
    const missing = texts.find((text) => !html.includes(text));
    if (missing) throw new Error(`${this.tool.name} has made a document of article ${id} without \`${missing}\``);
  }

  /** The hash of each file that is published, by its path. */
  async hashes() {
    const names = await this.#published();
    const hash = async (name) => createHash("sha256").update(await readFile(path.join(this.out, name))).digest("hex");
    const hashes = new Map();
    for (const name of names) hashes.set(name, await hash(name));
    return hashes;
  }

  /** Bytes of the home page's JavaScript, each script compressed by gzip at level 9. */
  async homeScripts() {
    const html = await this.#document("");
    const inline = [...html.matchAll(/<script(?![^>]*(?:src=|json))[^>]*>([^]+?)<\/script>/g)].map((match) => match[1]);
    const named = html.matchAll(/(?:src|href|(?:component|renderer|before-hydration)-url)="?([^" >]+\.m?js)\b/g);
    const loaded = new Map();
    for (const [, url] of named) await this.#load(path.join(this.out, url), loaded);
    const texts = [...inline.map((text) => Buffer.from(text)), ...loaded.values()];
    return texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0);
  }

  /** Adds a script and those that it imports before it runs. */
  async #load(file, loaded) {
    if (loaded.has(file)) return;
    const bytes = await readFile(file);
    loaded.set(file, bytes);
    const imports = bytes.toString().matchAll(/\b(?:import|from)\s*["'](\.[^"']+\.m?js)["']/g);
    for (const [, specifier] of imports) await this.#load(path.resolve(path.dirname(file), specifier), loaded);
  }

  async #document(name) {
    const index = path.join(this.out, name, "index.html");
    return readFile(index, "utf8").catch(() => readFile(path.join(this.out, `${name}.html`), "utf8"));
  }

  async #published() {
    const entries = await readdir(this.out, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => path.relative(this.out, path.join(entry.parentPath, entry.name)));
  }

  /**
   * Removes what builds have left. It is moved out of the way and deleted with everything else at the end: ext4 searches long
   * for a place where no file was deleted a moment ago, and builds would wait for that.
   */
  async #clean() {
    const folders = [this.out, this.#cache, ...this.tool.caches.map((name) => path.join(this.folder, name))];
    const removed = `${this.folder}-removed`;
    await mkdir(removed, { recursive: true });
    for (const folder of folders) {
      this.#removed += 1;
      await rename(folder, path.join(removed, String(this.#removed))).catch(ignoreMissing);
    }
    await mkdir(this.#cache);
    // What the builds before have written is on its way to the disk, and must not slow this one.
    await run("sync");
  }

  async #edit(change) {
    this.#edits += 1;
    this.#articles[this.#place] = change(this.#edited, this.#edits);
    await this.tool.write(this.folder, this.#edited, this.#articles);
  }

  /** The article that is edited is one in the middle. */
  get #place() {
    return this.#articles.length >> 1;
  }

  get #edited() {
    return this.#articles[this.#place];
  }

  get #cache() {
    return path.join(this.folder, ".cache-of-user");
  }
}

/** How many files of a build are new or different, and how many there are. */
export function compare(before, after) {
  return { changed: [...after].filter(([name, hash]) => before.get(name) !== hash).length, all: after.size };
}

function ignoreMissing(error) {
  if (error.code !== "ENOENT") throw error;
}
