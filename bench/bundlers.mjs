// The three bundlers, set to the same task: ES modules for browsers, React in production, minified, without the
// comments that licences ask for, which portalgen writes to files of their own.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";

const run = promisify(execFile);

/** The folder of this file, whose `node_modules` everything is bundled from. */
export const benchFolder = path.dirname(fileURLToPath(import.meta.url));

/** Conditions of `exports` that portalgen meets in production, so that all three take the same files of a package. */
export const conditions = ["module", "production"];

export const defines = { "process.env.NODE_ENV": '"production"' };

/** The binary that `PORTALGEN` names, or the one that cargo builds. */
export function portalgenBinary() {
  const binary = path.resolve(process.env.PORTALGEN || path.join(benchFolder, "../target/release/portalgen"));
  if (!existsSync(binary)) {
    throw new Error(`${binary} is not there: run \`cargo build --release\`, or set PORTALGEN to the path of one`);
  }
  return binary;
}

/** Runs `portalgen bundle`, and answers with what it prints. */
export async function portalgen(entries, out, { root = benchFolder, minify = true, more = [] } = {}) {
  const options = ["--root", root, "--out", out, ...(minify ? [] : ["--no-minify"]), ...more];
  const { stdout } = await run(portalgenBinary(), ["bundle", ...options, ...entries], { maxBuffer: 2 ** 28 });
  return stdout;
}

export async function esbuild(entries, out, { root = benchFolder, minify = true, more = {} } = {}) {
  const { build } = await import("esbuild");
  await build({
    entryPoints: entries,
    outdir: out,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "esnext",
    conditions,
    define: defines,
    jsx: "automatic",
    minify,
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
    ...more,
  });
}

export async function rolldown(entries, out, { root = benchFolder, minify = true, more = {} } = {}) {
  const { build } = await import("rolldown");
  await build({
    input: entries,
    cwd: root,
    platform: "browser",
    resolve: { conditionNames: ["browser", ...conditions] },
    transform: { define: defines, jsx: "react-jsx" },
    onLog: printUnlessDirective,
    output: { dir: out, format: "esm", minify, comments: false, ...more },
  });
}

/** `"use client"` means nothing to a browser, and libraries are full of it. */
function printUnlessDirective(level, log, print) {
  if (log.code !== "MODULE_LEVEL_DIRECTIVE") print(level, log);
}

/** What portalgen says its version is, and the versions of the others as they are installed. */
export async function versions(...packages) {
  const { stdout } = await run(portalgenBinary(), ["--version"]);
  const installed = packages.map(async (name) => {
    const text = await readFile(path.join(benchFolder, "node_modules", name, "package.json"), "utf8");
    return [name, JSON.parse(text).version];
  });
  return new Map([["portalgen", stdout.trim().split(" ").at(-1)], ...(await Promise.all(installed))]);
}

/** The number, bytes and gzipped bytes of the scripts in a folder. */
export async function scriptSizes(folder) {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".js"));
  const sizes = { files: names.length, raw: 0, gzip: 0 };
  for (const name of names) {
    const bytes = await readFile(path.join(folder, name));
    sizes.raw += bytes.length;
    sizes.gzip += gzipSync(bytes, { level: 9 }).length;
  }
  return sizes;
}
