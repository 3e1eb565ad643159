// Bundles one entry with rolldown, in a process that does nothing else: node rolldown-build.mjs ENTRY ROOT OUT

import { rolldown } from "./bundlers.mjs";

const [entry, root, out] = process.argv.slice(2);
await rolldown([entry], out, { root });
