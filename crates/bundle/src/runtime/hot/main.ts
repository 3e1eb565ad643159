// The registry: runs modules that the server sends one by one, and lets new versions take the places of old ones.
//
// - `definitions.ts`: the newest code of each module. `instance.ts`: modules that run.
// - `namespaces.ts`: what a module exports. `evaluation.ts`: in which order modules run. `handle.ts`: what their code gets.
// - `loading.ts`, `styles.ts`: scripts and style sheets.
// - `updates.ts`: replaces modules. `propagation.ts` finds which have to run again. `context.ts`, `events.ts`: `import.meta.hot`.
// - `refresh.ts`: React Refresh.
import * as helpers from "portalgen:helpers";
import { pages } from "portalgen:hot/definitions";
import { adopt, instanceOf, type Namespace } from "portalgen:hot/instance";
import { evaluate } from "portalgen:hot/evaluation";
import { emit } from "portalgen:hot/events";
import { addressOf, page, start } from "portalgen:hot/loading";
import { useRuntime } from "portalgen:hot/refresh";
import { noteStyles, type Sheet } from "portalgen:hot/styles";
import { apply, defineAll, onOutcome } from "portalgen:hot/updates";

/** What a portal begins with. */
interface Start {
  entries: string[];
  /** The module of React Refresh, if the site has it. */
  refresh: string | null;
}

const registry = {
  define: defineAll,
  /** Says of a module that scripts are made for which style sheets it needs, and whether it is a page. */
  root(name: string, sheets: [string, string, number][], isPage: boolean) {
    noteStyles(name, sheets.map(([key, file, place]): Sheet => ({ key, file, place })));
    if (isPage) pages.add(name);
  },
  /** Runs the entries. Gives a promise if there is something to wait for. */
  start({ entries, refresh }: Start): Promise<unknown> | undefined {
    if (refresh) {
      void evaluate(instanceOf(refresh));
      useRuntime(refresh);
    }
    const waits = entries.flatMap((entry) => start(entry) ?? []);
    return waits.length ? Promise.all(waits) : undefined;
  },
  page,
  addressOf,
  /** The namespace of a module that runs. */
  namespace: (name: string): Namespace => instanceOf(name).star(false),
  apply,
  onOutcome,
  /** Tells modules of something, under the name that it has in Vite. */
  emit,
};

export type Registry = typeof registry;

adopt("portalgen:helpers", helpers as unknown as Namespace);
(globalThis as unknown as Record<symbol, Registry>)[Symbol.for("portalgen.hot")] = registry;
