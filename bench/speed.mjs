// Times cold builds of a large site, portalgen's against rolldown's: whole processes, one after the other.
// RUNS says how often; KEEP names a folder for the site and both outputs, which are thrown away otherwise.

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { benchFolder, portalgenBinary, scriptSizes, versions } from "./bundlers.mjs";
import { median } from "./figures.mjs";
import { writeSite } from "./site.mjs";

const run = promisify(execFile);

const runs = Number(process.env.RUNS || 7);

async function main() {
  if (!Number.isInteger(runs) || runs < 1) throw new Error(`RUNS is ${process.env.RUNS}, which is no number of runs`);
  await inFolder(async (folder) => {
    const root = path.join(folder, "site");
    await mkdir(root);
    const entry = await writeSite(root);
    const commands = commandsFor(entry, root, (bundler) => path.join(folder, bundler));
    const times = await timeAll(commands);
    await report(times, commands);
  });
}

async function inFolder(work) {
  const kept = process.env.KEEP;
  const folder = kept ? path.resolve(kept) : await mkdtemp(path.join(tmpdir(), "portalgen-speed-"));
  try {
    await mkdir(folder, { recursive: true });
    // The output is loaded by Node, which has to know that it is ES modules.
    await writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
    return await work(await realpath(folder));
  } finally {
    if (!kept) await rm(folder, { recursive: true });
  }
}

/** For each bundler, the command that builds, and where to. */
function commandsFor(entry, root, outOf) {
  const own = ["bundle", "--root", root, "--out", outOf("portalgen"), entry];
  const runner = path.join(benchFolder, "rolldown-build.mjs");
  return {
    portalgen: { out: outOf("portalgen"), command: [portalgenBinary(), ...own] },
    rolldown: { out: outOf("rolldown"), command: [process.execPath, runner, entry, root, outOf("rolldown")] },
  };
}

/** Interleaved, and each first every other time, so that what else the machine does meets both alike. */
async function timeAll(commands) {
  const names = Object.keys(commands);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  // What the first build of each reads from the disk is in memory for all that are counted.
  for (const name of names) await timeOne(commands[name]);
  for (let round = 0; round < runs; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) times[name].push(await timeOne(commands[name]));
  }
  return times;
}

/** How long one build takes, and how long processors work on it, in milliseconds. */
async function timeOne({ out, command }) {
  await rm(out, { recursive: true, force: true });
  const start = performance.now();
  // `times` prints on its second line what a shell's children used, as minutes and seconds of user and system.
  const { stdout } = await run("sh", ["-c", '"$@" >/dev/null && times', "sh", ...command]);
  const wall = performance.now() - start;
  const used = stdout.trim().split("\n").at(-1).matchAll(/(\d+)m([\d.]+)s/g);
  const cpu = [...used].reduce((sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000, 0);
  return { wall, cpu };
}

async function report(times, commands) {
  const versionOf = await versions("rolldown");
  console.log(`${runs} builds each, with ${availableParallelism()} threads, in milliseconds\n`);
  console.log("                        min   median      max   median of processor time");
  for (const [name, measured] of Object.entries(times)) {
    const wall = measured.map((time) => time.wall);
    const figures = [Math.min(...wall), median(wall), Math.max(...wall), median(measured.map((time) => time.cpu))];
    const label = `${name} ${versionOf.get(name)}`.padEnd(18);
    console.log(label + figures.map((n) => n.toFixed(0).padStart(9)).join(""));
  }
  const ratio = (of) => (median(times.portalgen.map(of)) / median(times.rolldown.map(of))).toFixed(2);
  const [wall, cpu] = [ratio((time) => time.wall), ratio((time) => time.cpu)];
  console.log(`\nportalgen's median is ${wall} of rolldown's; of processor time, ${cpu}\n`);

  for (const [name, { out }] of Object.entries(commands)) {
    const { files, raw, gzip } = await scriptSizes(out);
    console.log(`${name.padEnd(10)} ${files} scripts, ${raw} bytes, ${gzip} gzipped`);
  }
  await expectSameProgram(commands);

  const [program, ...options] = commands.portalgen.command;
  const { stderr } = await run(program, [...options, "--timings"]);
  console.log(`\nportalgen's --timings:\n${stderr.trimEnd()}`);
}

/** A fast build of the wrong program would be worth nothing: both load all pages, which compute the same numbers. */
async function expectSameProgram(commands) {
  const results = await Promise.all(Object.values(commands).map(({ out }) => checksums(out)));
  if (new Set(results).size !== 1) throw new Error(`the pages compute other numbers:\n${results.join("\n")}`);
}

async function checksums(out) {
  const script = "console.log(await (await import(process.argv[1])).checksums()); process.exit();";
  const main = pathToFileURL(path.join(out, "main.js")).href;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script, main]);
  return stdout;
}

try {
  await main();
} catch (error) {
  console.error(`\n${error.stderr || error.message}`);
  process.exitCode = 1;
}
