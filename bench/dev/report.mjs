// Tables of what was measured, and the page that explains them.

import { readFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import path from "node:path";

import { aligned, median } from "../figures.mjs";
import { benchFolder } from "../bundlers.mjs";

/** What is compared, each with where its figure is in a row, in milliseconds. */
const columns = [
  ["answers", ({ starts }) => median(starts.map(({ answers }) => answers))],
  ["first page", ({ starts }) => median(starts.map(({ shown }) => shown))],
  ["interactive", ({ starts }) => median(starts.map(({ alive }) => alive))],
  ["edit, median", ({ edits }) => median(edits)],
  ["edit, 90 %", ({ edits }) => edits.toSorted((a, b) => a - b)[Math.ceil(edits.length * 0.9) - 1]],
  ["title edit", ({ titles }) => (titles.length ? median(titles) : undefined)],
];

const labels = { portalgen: "portalgen dev", vite: "Vite" };

/** A table of one site: a line for each tool, and how the first one is to the second. */
export function table(rows) {
  const [ours, theirs] = rows;
  const ratio = ([, figure]) => (figure(theirs) === undefined ? "" : (figure(ours) / figure(theirs)).toFixed(2));
  const lines = rows.map((row) => [labels[row.tool], ...columns.map(([, figure]) => duration(figure(row)))]);
  return aligned([
    ["", ...columns.map(([name]) => name)],
    ["---", ...columns.map(() => "---:")],
    ...lines,
    ["ratio", ...columns.map(ratio)],
  ]);
}

/** The section of the README. */
export function summary(results) {
  const wanted = columns.filter(([name]) => name !== "edit, 90 %");
  const line = (name, row) => [`${name}, ${labels[row.tool]}`, ...wanted.map(([, figure]) => duration(figure(row)))];
  const lines = results.flatMap(({ site, rows }) => rows.map((row) => line(site.name, row)));
  return `How long it takes, beside Vite's development server, in Chromium: until the server answers and the page shows after a
start without any cache, and from the write of a file until the page shows it.
[docs/performance-dev.md](docs/performance-dev.md) has the machine, the versions and what is measured.

${aligned([["", ...wanted.map(([name]) => name)], ["---", ...wanted.map(() => "---:")], ...lines])}`;
}

/** The page of documentation. */
export async function performance(results, { edits, runs, rebuilds }) {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const sections = results.map(({ site, rows, memory }) => {
    const points = memory.map((bytes) => Math.round(bytes / 1e6)).join(", ");
    const grown = `Memory of \`portalgen dev\` after each tenth of ${rebuilds} edits, in MB: ${points}.`;
    return `## ${site.name}\n\n${table(rows)}\n${memory.length ? `\n${grown}\n` : ""}`;
  });
  return `# Performance of the development server

How long people wait for \`portalgen dev\` while they work, beside Vite's development server with the same components. Medians of
${runs} starts and ${edits} edits; both tools take turns, on a machine with ${cpus().length} cores (${cpu.model.trim()}) and ${gigabytes} GiB of memory, which
Chromium has to share.

Written by \`cargo xtask bench dev\`; do not edit. The sites and the script are in \`bench/dev/\` and \`bench/dev.mjs\`.

${sections.join("\n")}
## What is measured

| Column | Meaning |
| --- | --- |
| answers | from the start of the process, without any cache, until the home page has been answered |
| first page | until its text shows in Chromium |
| interactive | until React has taken over |
| edit | from the write of a page's module until the new text is in the page |
| title edit | from the write of a title in \`routes.toml\` until the page has it |

What portalgen answers with is a prerendered page, so its text shows before scripts run; Vite answers with an empty one.

Versions: portalgen ${await portalgenVersion()}, Vite ${await version("vite")}, @vitejs/plugin-react ${await version("@vitejs/plugin-react")}, React ${await version("react")},
React Router ${await version("react-router-dom")}, Node.js ${process.versions.node}.
`;
}

async function version(name) {
  const manifest = path.join(benchFolder, "build/node_modules", name, "package.json");
  return JSON.parse(await readFile(manifest, "utf8")).version;
}

async function portalgenVersion() {
  const manifest = await readFile(path.join(benchFolder, "../Cargo.toml"), "utf8");
  return /^version = "([^"]+)"/m.exec(manifest)[1];
}

function duration(milliseconds) {
  if (milliseconds === undefined) return "";
  return milliseconds < 100 ? `${milliseconds.toFixed(1)} ms` : `${thousands(Math.round(milliseconds))} ms`;
}

const thousands = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
