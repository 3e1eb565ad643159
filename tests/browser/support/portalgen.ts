// Runs the binary under test.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";

/** The repository. */
export const root = resolve(import.meta.dirname, "../../..");

export const binary = resolve(process.env["PORTALGEN"] ?? `${root}/target/release/portalgen`);

/** Builds the portal of a project's folder into the folder `out`. */
export async function build(project: string, out: string, options: string[]) {
  await portalgen("build", "--root", project, "--out", out, "--offline", ...options);
}

/** Makes a new portal in `folder`, with the packages of the real one. */
export async function makePortal(folder: string, lang: string) {
  await portalgen("init", "--lang", lang, folder);
  await symlink(join(root, "site/node_modules"), join(folder, "site/node_modules"));
}

/** Copies a portal of `portals/` to `folder`, without packages. */
export async function copySources(name: string, folder: string): Promise<string> {
  const portal = join(import.meta.dirname, "../portals", name);
  await cp(portal, folder, { recursive: true, filter: (path) => basename(path) !== "node_modules" });
  return portal;
}

/** The packages of the real portal. */
export async function packagesOfSite(): Promise<{ name: string; path: string }[]> {
  const folder = join(root, "site/node_modules");
  const names = (await readdir(folder)).filter((name) => !name.startsWith("."));
  return names.map((name) => ({ name, path: join(folder, name) }));
}

/** Copies a portal of `portals/` to `folder`, to be built there with its own packages or those of the real one. */
export async function copyPortal(name: string, folder: string) {
  const portal = await copySources(name, folder);
  const site = existsSync(join(portal, "site/package.json")) ? join(portal, "site") : join(root, "site");
  await symlink(join(site, "node_modules"), join(folder, "site/node_modules"));
}

/** Copies the portal of the repository to `folder`. */
export async function copyRepository(folder: string) {
  const filter = (path: string) => basename(path) !== "node_modules";
  await cp(join(root, "site"), join(folder, "site"), { recursive: true, filter });
  await cp(join(root, "templates"), join(folder, "templates"), { recursive: true });
  await cp(join(root, "routes.toml"), join(folder, "routes.toml"));
  await symlink(join(root, "site/node_modules"), join(folder, "site/node_modules"));
}

/** The headers that a build asks hosts to send with every answer. */
export async function headersOf(folder: string): Promise<Record<string, string>> {
  const manifest = JSON.parse(await readFile(join(folder, ".portalgen/deploy/portal.json"), "utf8"));
  if (!manifest.headers["content-security-policy"]) throw new Error("The portal is deployed nowhere: see `[deploy]`");
  return manifest.headers;
}

/** Gives the portal in `folder` another form of its addresses. */
export async function setSlash(folder: string, slash: string) {
  const file = join(folder, "routes.toml");
  const routes = await readFile(file, "utf8");
  await writeFile(file, routes.replace("[portal]\n", `[portal]\nslash = "${slash}"\n`));
}

/** Bundles the script `entry` into the folder `out`. */
export async function bundleScript(entry: string, out: string, options: string[] = []) {
  await portalgen("bundle", entry, "--out", out, ...options);
}

async function portalgen(...options: string[]) {
  if (!existsSync(binary)) throw new Error(`${binary} is missing: run \`cargo build --release\`, or set PORTALGEN`);
  await promisify(execFile)(binary, options, { env: withoutSettings() });
}

/** The environment without what would override the arguments. */
export function withoutSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PORTALGEN_")));
}
