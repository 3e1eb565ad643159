// The portals that tests visit. Each is built once in a run of Playwright, by the worker that needs it first.
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { build, copyPortal, copyRepository, makePortal, root, setSlash } from "./portalgen.ts";

/** How the portal is built and served. */
export interface Variant {
  mode: "production" | "development";
  /** Folder of the host that the portal is served from, with a slash at both ends. */
  base: string;
  /** What the host sends with each answer: these, or what the build asks for, the content security policy among them. */
  headers?: "own" | Record<string, string>;
  /** Whether addresses of pages end in a slash, if not as `routes.toml` has it. */
  slash?: "never";
}

/** Where the sources are: a folder of `portals/`, what `portalgen init` makes in a language, or the repository. */
export interface Source {
  portalName: string | undefined;
  newPortal: NewPortal | undefined;
}

export type NewPortal = "en" | "zh";

/** A portal that has been built. */
export interface Built {
  /** The folder of its sources. */
  project: string;
  /** The folder of the result. */
  folder: string;
}

/** The origins of the portal and the chat site in every build. Browsers are led to the ports where these are served. */
export const portalOrigin = "http://127.0.0.1:8090";
export const chatOrigin = "http://127.0.0.1:8091";

/** Makes the folder of all portals of a run of Playwright. What it returns removes it. */
export default async function setUp(): Promise<() => Promise<void>> {
  const portals = await mkdtemp(join(tmpdir(), "portals-"));
  process.env["PORTALS"] = portals;
  return () => rm(portals, { recursive: true });
}

/** A portal as all workers share it: nothing of it may be changed. */
export async function sharedPortal(source: Source, variant: Variant): Promise<Built> {
  const { mode, base, slash = "" } = variant;
  const name = [source.portalName ?? source.newPortal ?? "repository", mode, base.replaceAll("/", "."), slash].join("-");
  const workspace = join(process.env["PORTALS"]!, name);
  const outcome = join(workspace, "outcome");
  const isCopied = source.portalName || source.newPortal || slash;
  const built = { project: isCopied ? join(workspace, "my-portal") : root, folder: join(workspace, "dist") };
  if (await isMade(workspace)) {
    const failure = await make(source, variant, built).then(() => "", String);
    await writeFile(`${outcome}.new`, failure);
    await rename(`${outcome}.new`, outcome);
  }
  const failure = await written(outcome);
  if (failure) throw new Error(failure);
  return built;
}

/** A copy of a portal that a test may change, in `workspace`. */
export async function copyOf({ project, folder }: Built, workspace: string): Promise<Built> {
  const copy = { project: join(workspace, "my-portal"), folder: join(workspace, "dist") };
  if (project === root) await copyRepository(copy.project);
  else await cp(project, copy.project, { recursive: true, verbatimSymlinks: true });
  await cp(folder, copy.folder, { recursive: true });
  return copy;
}

/** Builds a portal, with `options` beside those of its variant. */
export async function rebuild({ project, folder }: Built, variant: Variant, options: string[] = []) {
  const settings = ["--host", chatOrigin, "--origin", portalOrigin, "--base", variant.base, "--mode", variant.mode];
  await build(project, folder, [...settings, ...options]);
}

async function make({ portalName, newPortal }: Source, variant: Variant, built: Built) {
  if (portalName) await copyPortal(portalName, built.project);
  if (newPortal) await makePortal(built.project, newPortal);
  if (variant.slash) {
    if (!portalName) await copyRepository(built.project);
    await setSlash(built.project, variant.slash);
  }
  await rebuild(built, variant);
}

/** Makes a folder. False where another worker has made it. */
async function isMade(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

/** The text of a file that another worker is going to write. The fixture's timeout ends a wait in vain. */
async function written(file: string): Promise<string> {
  for (;;) {
    try {
      return await readFile(file, "utf8");
    } catch {
      await setTimeout(50);
    }
  }
}
