// The sites that `../dev.mjs` has served: ten pages, and the site of a thousand modules. Each comes as a portal and as an
// application of Vite with the same components.
//
// A site has
//   name                 what its row is called
//   write(folder, tool)  its sources as `tool` wants them
//   page                 the path of the page that is looked at
//   file                 the module that is edited, relative to the folder of the modules

import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { json } from "../build/articles.mjs";
import { counts, writeSite } from "../site.mjs";

const folder = path.dirname(fileURLToPath(import.meta.url));
/** The packages that both tools take. */
const packages = path.join(folder, "../build/node_modules");

const numbers = Array.from({ length: 10 }, (_, index) => index + 1);
const heading = /(<h1>)[^<]*(<\/h1>)/;

/** The page's heading after an edit. */
export const headingOf = (number) => `Edit ${number}`;

/** The module after that edit. */
export const withHeading = (code, number) => code.replace(heading, `$1${headingOf(number)}$2`);

/** Where modules are, in the folder of a site. */
export const modules = { portalgen: "site", vite: "src" };

/** Ten pages, each with a component of its own and one that all have. */
export const small = {
  name: "10 pages",
  page: "/page-5",
  file: "pages/page-5.jsx",
  async write(site, tool) {
    const home = 'export default function Home() {\n  return <main><h1>Home</h1></main>;\n}\n';
    const files = new Map([
      ["pages/index.jsx", home],
      ["components/Counter.jsx", counter],
      ["styles.css", "main { max-width: 40em; margin: auto; }\n"],
      ["layout.jsx", layout],
      ...numbers.map((number) => [`pages/page-${number}.jsx`, page(number)]),
    ]);
    for (const [name, text] of files) await write(path.join(site, modules[tool], name), text);
    const paths = ["/", ...numbers.map((number) => `/page-${number}`)];
    await frame(site, tool, paths, viteEntry(paths));
  },
};

/** A thousand modules, of which two hundred are pages. */
export const large = {
  name: "1,000 modules",
  page: "/Page007",
  file: "pages/Page007.tsx",
  async write(site, tool) {
    const written = path.join(site, "written");
    await mkdir(written, { recursive: true });
    await writeSite(written);
    await cp(path.join(written, "src"), path.join(site, modules[tool]), { recursive: true });
    await rm(written, { recursive: true });
    await rm(path.join(site, modules[tool], "main.tsx"));
    const names = Array.from({ length: counts.pages }, (_, number) => `Page${String(number).padStart(3, "0")}`);
    for (const name of names) await withoutChecksum(path.join(site, modules[tool], `pages/${name}.tsx`));
    await write(path.join(site, modules[tool], "pages/index.tsx"), "export default function Home() {\n  return <h1>Home</h1>;\n}\n");
    const paths = ["/", ...names.map((name) => `/${name}`)];
    await frame(site, tool, paths, viteEntry(paths));
  },
};

/** Vite reloads pages that export more than a component, which is another thing to measure. */
async function withoutChecksum(file) {
  const code = await readFile(file, "utf8");
  await writeFile(file, code.replace("export const checksum", "export const Checksum").replace("export const Checksum", "const checksum"));
}

const counter = `import { useState } from "react";

export default function Counter() {
  const [count, setCount] = useState(0);
  return <button onClick={() => setCount(count + 1)}>Pressed {count} times</button>;
}
`;

const layout = `import { Link } from "react-router-dom";
import "./styles.css";

export default function Layout({ children }) {
  return (
    <>
      <nav><Link to="/">Home</Link></nav>
      {children}
    </>
  );
}
`;

const page = (number) => `import Counter from "../components/Counter.jsx";

export default function Page${number}() {
  return (
    <main>
      <h1>Page ${number}</h1>
      <p>What there is to say about ${number}.</p>
      <Counter />
    </main>
  );
}
`;

/** What the tools want around the modules. */
async function frame(site, tool, paths, entry) {
  const dependencies = { react: "*", "react-dom": "*", "react-router-dom": "*", "react-refresh": "*" };
  if (tool === "portalgen") {
    const route = (path) => `\n[[route]]\npath = "${path}"\ntitle = "Page ${path}"\n`;
    await write(path.join(site, "routes.toml"), `[portal]\nproduct = "Harbour"\nlang = "en"\n${paths.map(route).join("")}`);
    await write(path.join(site, "site/package.json"), json({ private: true, dependencies }));
    await copyPackages(path.join(site, "site/node_modules"));
  } else {
    await write(path.join(site, "package.json"), json({ private: true, type: "module" }));
    await write(path.join(site, "index.html"), viteDocument);
    await write(path.join(site, "vite.config.js"), viteConfig);
    await write(path.join(site, "src/main.jsx"), entry);
    await mkdir(path.join(site, "node_modules"), { recursive: true });
    await symlinkPackages(path.join(site, "node_modules"));
  }
}

const react = ["react", "react-dom", "scheduler", "react-router", "react-router-dom", "cookie", "set-cookie-parser", "react-refresh"];

async function copyPackages(to) {
  await mkdir(to, { recursive: true });
  for (const name of react) await cp(path.join(packages, name), path.join(to, name), { recursive: true });
}

/** Vite keeps its cache among the packages, so each site has a folder for them. */
async function symlinkPackages(to) {
  for (const name of [...react, "vite", "@vitejs"]) await symlink(path.join(packages, name), path.join(to, name));
}

const viteDocument = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Harbour</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="module" src="/src/main.jsx"></script>
  </body>
</html>
`;

const viteConfig = `import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({ plugins: [react()], clearScreen: false });
`;

const viteEntry = (paths) => `import { lazy, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter, Route, Routes } from "react-router-dom";
${paths.includes("/page-1") ? 'import Layout from "./layout.jsx";' : "const Layout = ({ children }) => children;"}

const modules = import.meta.glob("./pages/*.{jsx,tsx}");
const pages = Object.entries(modules).map(([file, load]) => {
  const name = file.replace(/^.*\\/|\\.\\w+$/g, "");
  return { path: name === "index" ? "/" : "/" + name, Page: lazy(load) };
});

createRoot(document.getElementById("root")).render(
  <BrowserRouter>
    <Layout>
      <Suspense>
        <Routes>
          {pages.map(({ path, Page }) => <Route key={path} path={path} element={<Page />} />)}
        </Routes>
      </Suspense>
    </Layout>
  </BrowserRouter>,
);
`;

async function write(file, text) {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
