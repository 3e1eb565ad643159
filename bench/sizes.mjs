// Bundles each of `entries/` with portalgen, esbuild and rolldown, and writes the sizes to `docs/bundle-sizes.md`.
// `--check` compares with that file instead of writing it.

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { benchFolder, esbuild, portalgen, rolldown, scriptSizes, versions } from "./bundlers.mjs";
import { aligned } from "./figures.mjs";

const bundlers = { portalgen, esbuild, rolldown };
const others = ["esbuild", "rolldown"];

const tableFile = path.join(benchFolder, "../docs/bundle-sizes.md");

/** How much larger than in the table portalgen's output may be. */
const allowedGrowth = 0.005;

/** How much larger than the better of the others portalgen's output may be. */
const allowedExcess = 0.03;

const run = promisify(execFile);

async function main(args) {
  const isCheck = args.join(" ") === "--check";
  if (args.length > 0 && !isCheck) throw new Error("Usage: node sizes.mjs [--check]");
  const rows = await inTemporaryFolder(measureAll);
  const text = document(rows, await versions("esbuild", "rolldown", ...(await libraries())));
  console.log(table(rows));
  if (!isCheck) {
    await writeFile(tableFile, text);
    return;
  }
  const complaints = check(rows, text, await readFile(tableFile, "utf8"));
  if (complaints.length > 0) throw new Error(complaints.join("\n"));
}

async function inTemporaryFolder(work) {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "portalgen-sizes-")));
  try {
    // The output is loaded by Node, which has to know that it is ES modules.
    await writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measureAll(folder) {
  const entries = (await readdir(path.join(benchFolder, "entries"))).sort();
  const rows = [];
  for (const entry of entries) rows.push(await measure(entry, folder));
  return rows;
}

/** Bundles one entry with each bundler, and makes sure that what came out is the same program. */
async function measure(entry, folder) {
  const name = path.parse(entry).name;
  const row = { name };
  const offered = {};
  for (const [bundler, bundle] of Object.entries(bundlers)) {
    const out = path.join(folder, bundler, name);
    await mkdir(out, { recursive: true });
    await bundle([path.join(benchFolder, "entries", entry)], out);
    row[bundler] = await scriptSizes(out);
    offered[bundler] = await exportsOf(path.join(out, `${name}.js`));
  }
  for (const bundler of others) {
    if (offered[bundler] !== offered.portalgen) {
      throw new Error(`${entry} exports ${offered.portalgen} from portalgen, and ${offered[bundler]} from ${bundler}`);
    }
  }
  row.ratio = row.portalgen.gzip / Math.min(...others.map((bundler) => row[bundler].gzip));
  return row;
}

/** Loads a bundle in a Node of its own, and answers with what it exports. */
async function exportsOf(file) {
  const { stdout } = await run("node", ["--input-type=module", "--eval", loader, pathToFileURL(file).href]);
  return stdout.trim();
}

/**
 * Prints what a module exports. There is just enough of a document for react-markdown, which makes an element when it
 * is loaded.
 */
const loader = `
  globalThis.document = { createElement: () => ({}) };
  const names = (module) => console.log(Object.keys(module).sort().join());
  const failed = (error) => { console.error(error.stack); process.exitCode = 1; };
  await import(process.argv[1]).then(names, failed);
  process.exit();
`;

async function libraries() {
  const { devDependencies } = JSON.parse(await readFile(path.join(benchFolder, "package.json"), "utf8"));
  return Object.keys(devDependencies).filter((name) => !others.includes(name));
}

function document(rows, versions) {
  const lines = [...versions].map(([name, version]) => `- ${name} ${version}`);
  return `# Sizes of bundles

What a program that uses one library comes to, in bytes: all its scripts, minified, and each of them compressed by
gzip at level 9. \`ratio\` compares portalgen's gzipped bytes with the better of the two others. The programs are in
\`bench/entries/\`. Comments with licences are left out: portalgen writes them to files of their own.

Written by \`cargo xtask bench sizes\`; do not edit. With \`--check\` it fails when portalgen's output has grown by more
than ${percent(allowedGrowth)}, or is larger than the better of the others by more than ${percent(allowedExcess)}.

${table(rows)}

These versions were compared:

${lines.join("\n")}
`;
}

function percent(share) {
  return `${share * 100} %`;
}

function table(rows) {
  const total = { name: "**total**" };
  for (const bundler of Object.keys(bundlers)) {
    const sum = (of) => rows.reduce((sum, row) => sum + row[bundler][of], 0);
    total[bundler] = { raw: sum("raw"), gzip: sum("gzip") };
  }
  total.ratio = total.portalgen.gzip / Math.min(...others.map((bundler) => total[bundler].gzip));
  const head = ["entry", ...Object.keys(bundlers).flatMap((bundler) => [bundler, "gzip"]), "ratio"];
  const rule = head.map((_, column) => (column === 0 ? "---" : "---:"));
  const cells = [...rows, total].map((row) => [
    row.name,
    ...Object.keys(bundlers).flatMap((bundler) => [row[bundler].raw, row[bundler].gzip]),
    row.ratio.toFixed(3),
  ]);
  return aligned([head, rule, ...cells]);
}

/** What is wrong with the sizes, measured and written down. */
function check(rows, text, written) {
  const stale = "docs/bundle-sizes.md is out of date: run `cargo xtask bench sizes` and look at what changed";
  const recorded = recordedSizes(written);
  const names = (sizes) => [...sizes.keys()].join();
  const complaints = rows.flatMap((row) => [excess(row), growth(row, recorded.get(row.name))]).filter(Boolean);
  if (names(recorded) !== names(recordedSizes(text)) || versionLines(text) !== versionLines(written)) {
    complaints.push(stale);
  }
  return complaints;
}

function excess({ name, portalgen, ratio }) {
  if (ratio <= 1 + allowedExcess) return undefined;
  return `${name}: ${portalgen.gzip} bytes are ${percentAbove(ratio)} more than the better of the others makes`;
}

function growth({ name, portalgen }, recorded) {
  if (recorded === undefined || portalgen.gzip <= recorded * (1 + allowedGrowth)) return undefined;
  const above = percentAbove(portalgen.gzip / recorded);
  return `${name}: ${portalgen.gzip} bytes are ${above} more than the ${recorded} in docs/bundle-sizes.md`;
}

function percentAbove(ratio) {
  return `${((ratio - 1) * 100).toFixed(1)} %`;
}

/** Portalgen's gzipped bytes for each entry of a table. */
function recordedSizes(text) {
  const rows = text.split("\n").filter((line) => line.startsWith("| ") && /\d/.test(line));
  const cells = rows.map((row) => row.split("|").map((cell) => cell.trim()));
  return new Map(cells.map((row) => [row[1], Number(row[3])]));
}

function versionLines(text) {
  // The version of portalgen itself may move on without a change of sizes.
  const lines = text.split("\n").filter((line) => line.startsWith("- ") && !line.startsWith("- portalgen "));
  return lines.join("\n");
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(`\n${error.stderr || error.message}`);
  process.exitCode = 1;
}
