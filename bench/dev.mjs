// Times what people wait for while they work on a site: the start of the server, the first page, and how long it takes from the
// write of a file until the page shows it. portalgen's server beside Vite's, in Chromium, in one run.
// Usage: node dev.mjs [--edits 30] [--runs 5] [--rebuilds 1000] [--print]
//
// The tables are printed and, without `--print`, written to `docs/performance-dev.md`; a section of `README.md` has the most important
// times. With `--rebuilds` it also looks at how the server's memory grows.

import { existsSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { benchFolder, portalgenBinary } from "./bundlers.mjs";
import { Server, now } from "./dev/server.mjs";
import { performance as pageOf, summary, table } from "./dev/report.mjs";
import { headingOf, large, small, withHeading } from "./dev/sites.mjs";
import { withSection } from "./quote.mjs";

const { chromium } = createRequire(path.join(benchFolder, "../tests/browser/"))("@playwright/test");

const programs = {
  portalgen: (folder) => (port) => [portalgenBinary(), "dev", "--root", folder, "--port", String(port)],
  vite: (folder) => (port) => [
    process.execPath,
    path.join(folder, "node_modules/vite/bin/vite.js"),
    ...["--port", String(port), "--strictPort", "--logLevel", "warn"],
  ],
};

async function main(args) {
  const { values } = parseArgs({
    args,
    options: {
      edits: { type: "string", default: "30" },
      runs: { type: "string", default: "5" },
      rebuilds: { type: "string", default: "1000" },
      print: { type: "boolean", default: false },
    },
  });
  const [edits, runs, rebuilds] = [values.edits, values.runs, values.rebuilds].map(Number);
  const parent = await realpath(await mkdtemp(path.join(tmpdir(), "portalgen-dev-")));
  const browser = await chromium.launch({ executablePath: chromiumBinary(), args: browserArguments });
  try {
    const results = [];
    for (const site of [small, large]) results.push(await compare(site, { parent, browser, edits, runs, rebuilds }));
    if (!values.print) await write(results, { edits, runs, rebuilds });
  } finally {
    await browser.close();
    await rm(parent, { recursive: true });
  }
}

/** Both tools with one site. */
async function compare(site, { parent, browser, edits, runs, rebuilds }) {
  const rows = [];
  for (const tool of Object.keys(programs)) {
    const folder = path.join(parent, `${tool}-${site.file.length}`);
    await site.write(folder, tool);
    rows.push({ tool, server: new Server(tool, site, folder, programs[tool](folder)), starts: [], edits: [], titles: [] });
  }
  for (let run = 0; run < runs; run++) {
    for (const row of run % 2 ? rows.toReversed() : rows) await measure(row, browser, Math.ceil(edits / runs), run);
  }
  console.log(`\n## ${site.name}\n\n${table(rows)}`);
  const memory = rebuilds ? await memoryOf(rows[0], rebuilds) : [];
  if (rebuilds) console.log(`\nmemory after each tenth of ${rebuilds} edits, in bytes: ${memory.join(" ")}`);
  return { site, rows, memory };
}

/** Writes the documents. */
async function write(results, settings) {
  const [readme, docs] = ["README.md", "docs/performance-dev.md"].map((file) => path.join(benchFolder, "..", file));
  await writeFile(docs, await pageOf(results, settings));
  await writeFile(readme, withSection(await readFile(readme, "utf8"), "cargo xtask bench dev", summary(results)));
}

/** One start, the first page, and some edits. */
async function measure({ tool, server, starts, edits, titles }, browser, count, run) {
  const { site } = server;
  const code = await readFile(server.file, "utf8");
  const answers = await server.start();
  const page = await browser.newPage();
  try {
    await page.addInitScript(noteTexts);
    await page.goto(server.origin + site.page, { waitUntil: "commit" });
    const shown = await seen(page, /<h1>([^<]*)/.exec(code)[1].trim());
    const alive = await page.waitForFunction(isAlive).then(() => now());
    starts.push({ answers, shown: shown - server.startedAt, alive: alive - server.startedAt });
    for (let edit = 0; edit < count; edit++) {
      const number = run * 1000 + edit + 1;
      await pause();
      const written = now();
      await writeFile(server.file, withHeading(code, number));
      edits.push((await seen(page, headingOf(number))) - written);
    }
    if (tool === "portalgen") titles.push(...(await editTitles(server, page, count, run)));
  } finally {
    await page.close();
    await server.stop();
    await writeFile(server.file, code);
  }
}

async function editTitles(server, page, count, run) {
  const file = path.join(server.folder, "routes.toml");
  const text = await readFile(file, "utf8");
  const times = [];
  for (let edit = 0; edit < count; edit++) {
    const title = `Title ${run * 1000 + edit + 1}`;
    await pause();
    const written = now();
    await writeFile(file, text.replace(`"Page ${server.site.page}"`, `"${title}"`));
    times.push((await seen(page, title)) - written);
  }
  await writeFile(file, text);
  return times;
}

/** How much memory the server takes after each tenth of many edits, in bytes. */
async function memoryOf({ server }, rebuilds) {
  const code = await readFile(server.file, "utf8");
  await server.start();
  const points = [];
  for (let edit = 1; edit <= rebuilds; edit++) {
    await writeFile(server.file, withHeading(code, edit));
    await new Promise((resolve) => setTimeout(resolve, 60));
    if (edit % Math.ceil(rebuilds / 10) === 0) points.push(await server.memory());
  }
  await server.stop();
  await writeFile(server.file, code);
  return points;
}

/** Runs in the page: notes when each heading and title was first there. */
function noteTexts() {
  const times = (window.textTimes = {});
  const note = () => {
    for (const text of [document.querySelector("h1")?.textContent?.trim(), document.title]) {
      if (text) times[text] ??= performance.timeOrigin + performance.now();
    }
  };
  new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true });
}

/** Runs in the page: whether React has taken over. */
function isAlive() {
  const element = document.querySelector("h1");
  return element && Object.keys(element).some((key) => key.startsWith("__reactProps"));
}

async function seen(page, text) {
  const handle = await page.waitForFunction((text) => window.textTimes?.[text], text, { polling: 20, timeout: 20_000 });
  return handle.jsonValue();
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 150 + Math.random() * 100));

function chromiumBinary() {
  const candidates = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  const binary = process.env.CHROMIUM || candidates.find(existsSync);
  if (!binary) throw new Error("Chromium is missing: install it, or set CHROMIUM to its path");
  return binary;
}

const browserArguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];

await main(process.argv.slice(2));
