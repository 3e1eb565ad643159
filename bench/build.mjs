// Times builds of sites of several sizes, by portalgen and by others, and writes tables to `docs/performance.md` and the most
// important times to `README.md`.
// Usage: node build.mjs [--routes 10,1000,10000] [--tools portalgen,vite,astro,hugo] [--with NAME=PATH]... [--runs 5] [--print]

import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { portalgenBinary } from "./bundlers.mjs";
import { performance, summary, tables } from "./build/report.mjs";
import { Site, compare, kinds } from "./build/run.mjs";
import { folder as packages, names, tools } from "./build/tools.mjs";
import { withSection } from "./quote.mjs";

const tableFile = path.join(packages, "../../docs/performance.md");
const quotingFile = path.join(packages, "../../README.md");

async function main(args) {
  const { sizes, runs, chosen, others, print } = options(args);
  const compared = await tools(chosen, portalgenBinary(), others);
  const results = await inFolder(async (folder) => {
    const results = [];
    for (const size of sizes) results.push({ size, rows: await measure(compared, size, runs, folder) });
    return results;
  });
  console.log(tables(results));
  if (print) return;
  const quoting = withSection(await readFile(quotingFile, "utf8"), "cargo xtask bench build", summary(results));
  await writeFile(tableFile, await performance(results, compared, runs));
  await writeFile(quotingFile, quoting);
}

function options(args) {
  const { values } = parseArgs({
    args,
    options: {
      routes: { type: "string", default: "10,1000,10000" },
      tools: { type: "string", default: names.join() },
      with: { type: "string", multiple: true, default: [] },
      runs: { type: "string", default: "5" },
      print: { type: "boolean", default: false },
    },
  });
  const chosen = values.tools.split(",");
  const unknown = chosen.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`there is no tool \`${unknown}\`: choose of ${names.join(", ")}`);
  const sizes = values.routes.split(",").map((text) => wholeNumber(text, 8));
  return { sizes, runs: wholeNumber(values.runs, 1), chosen, others: values.with.map(named), print: values.print };
}

function wholeNumber(text, least) {
  const number = Number(text);
  if (Number.isInteger(number) && number >= least) return number;
  throw new Error(`\`${text}\` is no whole number from ${least} on`);
}

function named(text) {
  const [, name, file] = /^([\w-]+)=(.+)$/.exec(text) ?? [];
  if (!name || names.includes(name)) throw new Error(`write --with NAME=PATH, with a name of its own, not \`${text}\``);
  return [name, path.resolve(file)];
}

/** Does the work in a folder where the packages of Node's tools are found; KEEP names one that stays. */
async function inFolder(work) {
  const kept = process.env.KEEP;
  const folder = kept ? path.resolve(kept) : await mkdtemp(path.join(tmpdir(), "portalgen-build-"));
  try {
    await mkdir(folder, { recursive: true });
    await symlink(path.join(packages, "node_modules"), path.join(folder, "node_modules"));
    return await work(await realpath(folder));
  } finally {
    if (!kept) await rm(folder, { recursive: true });
  }
}

/** A row for each tool. Builds of all tools alternate, so that what else the machine does meets all of them. */
async function measure(compared, size, runs, folder) {
  const rows = [];
  for (const tool of compared) {
    console.error(`${size} routes: ${tool.name}`);
    const site = await Site.of(tool, size, folder);
    rows.push({ tool, site, ...(await look(site)), measured: kinds.map(() => []) });
  }
  for (let round = 0; round < runs; round++) {
    console.error(`${size} routes: round ${round + 1} of ${runs}`);
    for (const row of round % 2 === 0 ? rows : rows.toReversed()) await measureOne(row);
  }
  return rows;
}

/** Builds once before anything is timed, and looks at what comes of it and of edits. */
async function look(site) {
  await publish(site, "cold");
  const scripts = await site.homeScripts();
  await publish(site, "title edit");
  const before = await site.hashes();
  await publish(site, "page edit");
  return { scripts, files: compare(before, await site.hashes()) };
}

async function publish(site, kind) {
  await site.prepare(kind);
  await site.build();
  await site.expectPublished();
}

async function measureOne({ site, measured }) {
  for (const [index, kind] of kinds.entries()) {
    await site.prepare(kind);
    measured[index].push(await site.build());
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(`\n${error.stdout ?? ""}${error.stderr || error.message}`);
  process.exitCode = 1;
}
