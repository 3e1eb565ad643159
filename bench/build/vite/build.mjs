// Builds the site: the bundle for browsers and the one for rendering, then a document for each page.

import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";

import react from "@vitejs/plugin-react";
import { build } from "vite";

process.env.NODE_ENV = "production";

const out = path.resolve("dist");
const server = path.resolve("dist-server");

const common = { plugins: [react()], logLevel: "warn", configFile: false };
await Promise.all([
  build({ ...common, build: { outDir: out, manifest: true, reportCompressedSize: false } }),
  build({ ...common, build: { outDir: server, ssr: "src/server.jsx" } }),
]);

const { render } = await import(pathToFileURL(path.join(server, "server.js")).href);
const template = await readFile(path.join(out, "index.html"), "utf8");
const manifest = JSON.parse(await readFile(path.join(out, ".vite/manifest.json"), "utf8"));
const articles = (await readdir("src/pages/articles")).filter((name) => name.endsWith(".jsx"));
const addresses = ["/", ...articles.map((name) => `/articles/${path.basename(name, ".jsx")}`)];
await rm(path.join(out, ".vite"), { recursive: true });

for (const address of addresses) {
  const page = manifest[`src/pages${address === "/" ? "/index" : address}.jsx`];
  const chunks = [page.file, ...page.imports.map((name) => manifest[name].file)];
  const links = chunks.map((file) => `<link rel="modulepreload" href="/${file}">`).join("");
  // React puts the title in front of everything else.
  const [, title, html] = /^(<title>.*?<\/title>)?(.*)$/s.exec(await render(address));
  const document = template.replace("<!--head-->", () => title + links).replace("<!--page-->", () => html);
  const file = path.join(out, address, "index.html");
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, document);
}
