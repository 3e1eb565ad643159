// Writes the site that `speed.mjs` bundles: a thousand modules, two hundred of them pages that are loaded when visited.
// The same seed gives the same bytes.

import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";

import { benchFolder } from "./bundlers.mjs";

/** How many modules of each kind there are; with `main.tsx` and two barrels they are a thousand. */
export const counts = { pages: 200, parts: 200, components: 400, utils: 100, hooks: 40, data: 57 };

/** Writes the sources into `folder`, and answers with the path of the entry. */
export async function writeSite(folder, seed = 1) {
  const random = new Random(seed);
  const files = new Map([
    ...numbered(counts.data, (n) => [`data/${pad(n)}.json`, data(random)]),
    ...numbered(counts.utils, (n) => [`utils/${utilName(n)}.ts`, util(n, random)]),
    ...numbered(counts.hooks, (n) => [`hooks/${hookName(n)}.ts`, hook(n, random)]),
    ...numbered(counts.components, (n) => [`components/${componentName(n)}.tsx`, component(n, random)]),
    ...numbered(counts.parts, (n) => [`parts/${partName(n)}.tsx`, part(n, random)]),
    ...numbered(counts.pages, (n) => [`pages/${pageName(n)}.tsx`, page(n, random)]),
    ["utils/index.ts", barrel(counts.utils, utilName)],
    ["components/index.ts", barrel(counts.components, componentName)],
    ["main.tsx", main()],
  ]);
  for (const [name, text] of files) {
    const file = path.join(folder, "src", name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  await writeFile(path.join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  await symlink(path.join(benchFolder, "node_modules"), path.join(folder, "node_modules"));
  return path.join(folder, "src/main.tsx");
}

/** The generator mulberry32: small, and good enough to choose words. */
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed;
  }

  /** From 0 to 1, without 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `low` to `high`, with both. */
  between(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick(list) {
    return list[this.between(0, list.length - 1)];
  }

  /** `count` different numbers below `limit`; fewer, if there are not as many. */
  sample(count, limit) {
    const chosen = new Set();
    while (chosen.size < Math.min(count, limit)) chosen.add(this.between(0, limit - 1));
    return [...chosen].sort((a, b) => a - b);
  }

  words(count) {
    return Array.from({ length: count }, () => this.pick(vocabulary)).join(" ");
  }
}

const vocabulary = `account address archive balance billing branch budget calendar campaign capacity category channel
charge client comment company contact contract currency customer dashboard deadline delivery
department deposit device discount document draft employee estimate event expense feature folder
forecast group history invoice language ledger location manager market measure meeting member
message method milestone notice number office order owner package payment period permission person
policy portfolio priority process product profile project property purchase quality quantity
question rating reason receipt record refund region release reminder report request reserve resource
result review revenue role schedule section security service session setting shipment signature
source staff status stock strategy subject summary supplier support target task team template ticket
timeline topic total training transfer update vendor version visit warehouse workflow`.split(/\s+/);

const numbered = (count, write) => Array.from({ length: count }, (_, n) => write(n));
const pad = (n) => String(n).padStart(3, "0");
const utilName = (n) => `compute${pad(n)}`;
const hookName = (n) => `useRecord${pad(n)}`;
const componentName = (n) => `Panel${pad(n)}`;
const partName = (n) => `Section${pad(n)}`;
const pageName = (n) => `Page${pad(n)}`;

const barrel = (count, name) => numbered(count, (n) => `export { ${name(n)} } from "./${name(n)}";\n`).join("");

function data(random) {
  const record = (n) => ({
    id: `${n}-${random.between(1000, 9999)}`,
    label: random.words(random.between(2, 4)),
    amount: random.between(100, 99999) / 100,
    active: random.next() < 0.7,
    tags: Array.from({ length: random.between(0, 3) }, () => random.pick(vocabulary)),
  });
  return `${JSON.stringify({ title: random.words(3), records: numbered(random.between(4, 16), record) }, null, 2)}\n`;
}

/** Of ten modules one imports a later one, which may import it in turn. */
function dependencies(n, most, limit, random) {
  const earlier = random.sample(random.between(0, most), n);
  const later = random.next() < 0.1 && n + 1 < limit ? [random.between(n + 1, limit - 1)] : [];
  return [...earlier, ...later];
}

function util(n, random) {
  const others = dependencies(n, 2, counts.utils, random).map(utilName);
  const imports = others.map((name) => `import { ${name} } from "./${name}";\n`).join("");
  const [field, limit, factor] = [random.pick(vocabulary), random.between(5, 50), random.between(2, 9)];
  // The depth ends what a cycle would otherwise go on with.
  const calls = others.map((name) => `  if (depth > 0) result += ${name}(values, depth - 1).total;\n`).join("");
  return `${imports}
export interface ${capital(field)}Result${pad(n)} {
  total: number;
  average: number;
  label: string;
}

const cache${pad(n)} = new Map<string, ${capital(field)}Result${pad(n)}>();

/** ${capital(random.words(9))}. */
export function ${utilName(n)}(values: readonly number[], depth = 2): ${capital(field)}Result${pad(n)} {
  const key = values.join("/") + ":" + depth;
  const known = cache${pad(n)}.get(key);
  if (known !== undefined) return known;
  let result = 0;
  for (const [index, value] of values.entries()) {
    if (value > ${limit} * 1000) continue;
    result += index % ${factor} === 0 ? value * ${factor} : Math.round(value / ${factor});
  }
${calls}  const average = values.length === 0 ? 0 : result / values.length;
  const answer = { total: result, average, label: describe(average) };
  cache${pad(n)}.set(key, answer);
  return answer;
}

function describe(average: number): string {
  switch (true) {
    case average < ${limit}:
      return "${random.words(2)}";
    case average < ${limit * factor}:
      return \`${random.words(2)} of \${average.toFixed(2)}\`;
    default:
      return \`${random.words(1)} \${Math.floor(average)} (${random.words(1)})\`;
  }
}
`;
}

function hook(n, random) {
  const name = utilName(random.between(0, counts.utils - 1));
  return `import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { ${name} } from "../utils/${name}";

type State = { values: number[]; busy: boolean; message?: string };

export function ${hookName(n)}(initial: readonly number[], delay = ${random.between(50, 900)}) {
  const [state, setState] = useState<State>({ values: [...initial], busy: false });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const summary = useMemo(() => ${name}(state.values), [state.values]);

  const add = useCallback(
    (value: number) => {
      setState((previous) => ({ ...previous, busy: true }));
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        setState(({ values }) => ({ values: [...values, value], busy: false, message: "${random.words(3)}" }));
      }, delay);
    },
    [delay],
  );

  useEffect(() => () => clearTimeout(timer.current), []);

  return { ...state, summary, add };
}
`;
}

function component(n, random) {
  const children = dependencies(n, 3, counts.components, random).map(componentName);
  const utils = random.sample(random.between(0, 2), counts.utils).map(utilName);
  const imports = [
    'import { memo, useId, useState, type ReactNode } from "react";',
    ...children.map((name) => `import { ${name} } from "./${name}";`),
    ...utils.map((name) => `import { ${name} } from "../utils/${name}";`),
  ];
  const name = componentName(n);
  const shape = random.next() < 0.3 ? memoized : plain;
  return `${imports.join("\n")}

export interface ${name}Props {
  title?: string;
  level?: number;
  children?: ReactNode;
  onSelect?: (key: string) => void;
}

const options = ${JSON.stringify(optionsOf(random), null, 2)} as const;

${shape(name, bodyOf(children, utils, random))}
${name}.displayName = "${name}";
`;
}

const parametersOf = (name) => `{ title, level = 0, children, onSelect }: ${name}Props`;

const plain = (name, body) => `export function ${name}(${parametersOf(name)}) {\n${body}}\n`;

const memoized = (name, body) => `export const ${name} = memo((${parametersOf(name)}) => {\n${body}});\n`;

function optionsOf(random) {
  return numbered(random.between(2, 6), () => ({ key: random.pick(vocabulary), label: capital(random.words(2)) }));
}

function bodyOf(children, utils, random) {
  const values = () => `[${numbered(random.between(3, 8), () => random.between(1, 500)).join(", ")}]`;
  const facts = utils.map((util, n) => `  const fact${n} = ${util}(${values()});\n`).join("");
  const shown = utils.map((_, n) => `      <dd title={fact${n}.label}>{fact${n}.total}</dd>\n`).join("");
  const nest = (child) => `      {level < 2 && <${child} title="${random.words(2)}" level={level + 1} />}\n`;
  const nested = children.map(nest);
  return `  const id = useId();
  const [selected, setSelected] = useState<string>(options[0].key);
${facts}
  function select(key: string) {
    setSelected(key);
    onSelect?.(key);
  }

  return (
    <section className="${random.words(2)}" aria-labelledby={id} data-level={level}>
      <h3 id={id}>{title ?? "${capital(random.words(3))}"}</h3>
      <ul>
        {options.map(({ key, label }) => (
          <li key={key} className={key === selected ? "is-selected" : undefined}>
            <button type="button" onClick={() => select(key)} disabled={level > ${random.between(2, 4)}}>
              {label}
            </button>
          </li>
        ))}
      </ul>
      <p>
        ${capital(random.words(random.between(8, 20)))}: <strong>{selected}</strong>.
      </p>
${shown}${nested.join("")}      {children}
    </section>
  );
`;
}

function part(n, random) {
  const components = random.sample(random.between(2, 5), counts.components).map(componentName);
  const used = hookName(random.between(0, counts.hooks - 1));
  const name = partName(n);
  return `import { useState } from "react";
${components.map((name) => `import { ${name} } from "../components/${name}";`).join("\n")}
import { ${used} } from "../hooks/${used}";

const labels: Record<string, string> = {
${numbered(random.between(4, 10), (n) => `  key${n}: "${capital(random.words(random.between(2, 6)))}",`).join("\n")}
};

export function ${name}({ values }: { values: readonly number[] }) {
  const { summary, busy, message, add } = ${used}(values);
  const [open, setOpen] = useState(false);
  return (
    <article className={open ? "part is-open" : "part"} aria-busy={busy}>
      <header>
        <h2>${capital(random.words(4))}</h2>
        <button type="button" onClick={() => setOpen(!open)}>
          {open ? "${random.words(1)}" : "${random.words(2)}"}
        </button>
        <button type="button" onClick={() => add(${random.between(1, 99)})}>${capital(random.words(1))}</button>
      </header>
      {message && <p role="status">{message}</p>}
      <output>{summary.label}</output>
${components.map((name) => `      {open && <${name} title={labels.key${random.between(0, 3)}} />}`).join("\n")}
    </article>
  );
}
`;
}

function page(n, random) {
  const parts = random.sample(random.between(1, 4), counts.parts).map(partName);
  const components = random.sample(random.between(2, 6), counts.components).map(componentName);
  const fromBarrel = random.sample(random.between(0, 2), counts.components).map(componentName);
  const ofBarrel = fromBarrel.filter((name) => !components.includes(name));
  const utils = random.sample(random.between(1, 3), counts.utils).map(utilName);
  const source = pad(random.between(0, counts.data - 1));
  const imports = [
    'import { useMemo, useState } from "react";',
    ...components.map((name) => `import { ${name} } from "../components/${name}";`),
    ...(ofBarrel.length > 0 ? [`import { ${ofBarrel.join(", ")} } from "../components";`] : []),
    ...parts.map((name) => `import { ${name} } from "../parts/${name}";`),
    `import { ${utils.join(", ")} } from "../utils";`,
    `import source from "../data/${source}.json";`,
  ];
  const panel = (name) => `          <${name} title="${capital(random.words(2))}" onSelect={setFilter} />`;
  return `${imports.join("\n")}

const amounts = source.records.map((record) => record.amount);

/** What this page's numbers come to, whoever bundles it. */
export const checksum = [${utils.map((name) => `${name}(amounts).total`).join(", ")}].reduce(
  (sum, total) => sum + total,
  source.title.length,
);

function Records({ filter }: { filter: string }) {
  const records = useMemo(() => source.records.filter((record) => record.label.includes(filter)), [filter]);
  if (records.length === 0) return <p>${capital(random.words(5))}.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">${capital(random.words(1))}</th>
          <th scope="col">${capital(random.words(1))}</th>
          <th scope="col">${capital(random.words(1))}</th>
        </tr>
      </thead>
      <tbody>
        {records.map(({ id, label, amount, active, tags }) => (
          <tr key={id} className={active ? "active" : "inactive"}>
            <td>{label}</td>
            <td>{amount.toLocaleString("en", { style: "currency", currency: "EUR" })}</td>
            <td>{tags.map((tag) => <span key={tag} className={\`tag tag-\${tag}\`}>{tag}</span>)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export default function ${pageName(n)}() {
  const [filter, setFilter] = useState("");
  const [tab, setTab] = useState<"list" | "panels">("list");
  return (
    <main id="page-${pad(n)}">
      <h1>${capital(random.words(3))}</h1>
      <p>${capital(random.words(random.between(15, 40)))}.</p>
      <nav>
        <button type="button" aria-pressed={tab === "list"} onClick={() => setTab("list")}>
          ${capital(random.words(1))}
        </button>
        <button type="button" aria-pressed={tab === "panels"} onClick={() => setTab("panels")}>
          ${capital(random.words(1))}
        </button>
      </nav>
      {tab === "list" ? (
        <>
          <label>
            ${capital(random.words(2))}
            <input value={filter} onChange={(event) => setFilter(event.target.value)} />
          </label>
          <Records filter={filter} />
        </>
      ) : (
        <div className="panels">
${[...components, ...ofBarrel].map(panel).join("\n")}
        </div>
      )}
${parts.map((name) => `      <${name} values={amounts} />`).join("\n")}
    </main>
  );
}
`;
}

function main() {
  const loaders = numbered(counts.pages, (n) => `  "/${pad(n)}": () => import("./pages/${pageName(n)}"),`);
  return `import { lazy, Suspense, useState, type ComponentType } from "react";
import { createRoot } from "react-dom/client";

type PageModule = { default: ComponentType; checksum: number };

const loaders: Record<string, () => Promise<PageModule>> = {
${loaders.join("\n")}
};

const pages = Object.entries(loaders).map(([path, load]) => ({ path, Page: lazy(load) }));

function App() {
  const [current, setCurrent] = useState(pages[0]);
  return (
    <>
      <nav>
        {pages.map((page) => (
          <a key={page.path} href={page.path} onClick={() => setCurrent(page)}>{page.path}</a>
        ))}
      </nav>
      <Suspense fallback={<p>Loading</p>}>
        <current.Page />
      </Suspense>
    </>
  );
}

export const start = (element: Element) => createRoot(element).render(<App />);

/** Loads every page, and answers with what their numbers come to. */
export async function checksums(): Promise<string> {
  const modules = await Promise.all(Object.values(loaders).map((load) => load()));
  return modules.map((module) => module.checksum).join();
}
`;
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
