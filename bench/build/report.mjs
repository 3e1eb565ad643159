// Tables of what was measured, and the page that explains them.

import { cpus, totalmem } from "node:os";

import { aligned, median } from "../figures.mjs";
import { kinds } from "./run.mjs";
import { names, packageVersion } from "./tools.mjs";

/** A table for each size of site. */
export function tables(results) {
  return results.map(({ size, rows }) => `## ${thousands(size)} articles\n\n${table(rows)}\n`).join("\n");
}

function table(rows) {
  const head = ["", ...kinds, "memory", "home page's scripts", "files that a word changes"];
  const rule = head.map((_, column) => (column === 0 ? "---" : "---:"));
  return aligned([head, rule, ...rows.map(cells)]);
}

function cells({ tool, measured, scripts, files }) {
  const middle = (runs, of) => median(runs.map((run) => run[of]));
  const times = measured.map((runs) => `${duration(middle(runs, "wall"))} (${duration(middle(runs, "cpu"))})`);
  const memory = Math.max(...measured.map((runs) => middle(runs, "memory")));
  const changed = `${thousands(files.changed)} of ${thousands(files.all)}`;
  return [tool.label, ...times, `${Math.round(memory / 1e6)} MB`, `${(scripts / 1000).toFixed(1)} kB`, changed];
}

function duration(milliseconds) {
  if (milliseconds < 100) return `${milliseconds.toFixed(1)} ms`;
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;
}

const figures = (runs) => (runs === 1 ? "Each build was made once." : `Each figure is the median of ${runs} builds.`);

const thousands = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

/** The section of the README: the most important times. */
export function summary(results) {
  // Other binaries of portalgen are for those who work on it.
  const ours = (rows) => rows.filter(({ tool }) => names.includes(tool.name));
  const columns = ours(results[0].rows).map(({ tool }) => tool.label);
  const time = (kind) => ({ measured }) => duration(median(measured[kinds.indexOf(kind)].map(({ wall }) => wall)));
  const line = (size, rows, kind) => [`${thousands(size)} articles, ${kind}`, ...ours(rows).map(time(kind))];
  const lines = results.flatMap(({ size, rows }) => [line(size, rows, "cold"), line(size, rows, "page edit")]);
  return `The time on the clock of builds, beside other tools that make the same pages from the same texts.
[docs/performance.md](docs/performance.md) has the machine, the versions, what each tool does, processor time and memory.

${aligned([["", ...columns], ["---", ...columns.map(() => "---:")], ...lines])}

Hugo fills templates and makes no scripts.`;
}

/** The page of documentation. */
export async function performance(results, compared, runs) {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const node = compared.find(({ node }) => node)?.node;
  const versions = [
    ...compared.map(({ label, version }) => `- ${label} ${version}`),
    `- React ${await packageVersion("react")} and React Router ${await packageVersion("react-router-dom")}`,
    ...(node ? [`- Node.js ${node}`] : []),
  ];
  return `# Performance

How long builds take, beside other tools that make the same pages: the time on the clock and, in brackets, processor
time. ${figures(runs)} Builds of all tools alternate, on a machine with
${cpus().length} cores (${cpu.model.trim()}) and ${gigabytes} GiB of memory.

Written by \`cargo xtask bench build\`; do not edit. The sites and their scripts are in \`bench/build/\`.

${tables(results)}
## What is measured

Each site has a home page and articles with text of about a kilobyte from a file of their own, one layout and one style
sheet. Every page but those of Hugo has a button that counts how often it is pressed.

| Column | Meaning |
| --- | --- |
| cold | packages are installed; there is neither output nor any cache |
| no change | the build after that, of the same sources |
| title edit | the title of one article is different |
| page edit | one word in the text of one article is different |
| memory | the most that the largest process of a build occupies at a time |
| home page's scripts | JavaScript that the home page loads before anybody does anything, compressed by gzip |
| files that a word changes | files of the output that are new or different after the page edit |

## What is compared

- **portalgen** has a page file of three lines for each article. Pages are hydrated, and moves between them load
  only what the next one needs. The output includes the sizes of its files after gzip, for which it compresses them.
- **Vite** has the same page files and components, which \`import.meta.glob\` turns into a chunk each, and a script of forty
  lines that renders them with \`prerender\` of \`react-dom/static\` in the process that bundled them.
- **Astro** renders the same components, and hydrates the button only. There is no router in the browser. Articles are a
  content collection, which it caches.
- **Hugo** has templates of its own, and no scripts at all: it shows how fast text can be put into templates.

Versions:

${versions.join("\n")}
`;
}
