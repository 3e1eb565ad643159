// Runs the binary under test.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";

/** The repository. */
export const root = resolve(import.meta.dirname, "../../..");

const binary = resolve(process.env["PORTALGEN"] ?? `${root}/target/release/portalgen`);

export interface BuildOptions {
  /** The project's folder. */
  project?: string;
  out: string;
  /** Further arguments. */
  arguments?: string[];
}

/** Builds a portal. */
export async function build({ project = root, out, arguments: more = [] }: BuildOptions) {
  if (!existsSync(binary)) throw new Error(`${binary} is missing: run \`cargo build --release\`, or set PORTALGEN`);
  const options = ["--root", project, "--out", out, "--offline", ...more];
  await promisify(execFile)(binary, ["build", ...options], { env: withoutSettings() });
}

/** The environment without what would override the arguments. */
function withoutSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PORTALGEN_")));
}
