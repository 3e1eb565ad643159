// Propagation: from the modules that have changed to those that can take the change, along what imports them.
import { wishesOf } from "portalgen:hot/context";
import { pages } from "portalgen:hot/definitions";
import { allInstances, type Instance } from "portalgen:hot/instance";
import { isBoundary, otherExport } from "portalgen:hot/refresh";

/** Why a module cannot take a change by itself. */
export interface Reason {
  module: string;
  /** An export that is no component. */
  export?: string;
  /** What the module says about it. */
  message?: string;
}

/** What has to happen so that nothing on the page is of an older version. */
export interface Plan {
  /** Modules that run again. */
  stale: Set<Instance>;
  /** Those of them beyond which the change does not go. */
  boundaries: Set<Instance>;
  /** For modules that accept changes of what they import, the names of that. */
  accepting: Map<Instance, Set<string>>;
  /** Why the change goes further than the modules in which it began. */
  reasons: Reason[];
  /** It reaches what cannot run again. */
  reload: Reason | undefined;
}

/**
 * Makes a plan. `changed` have changed. `invalid` cannot take changes, and do not run again for those that they were to take.
 * `expected` took changes until they failed.
 */
export function planFor(changed: Iterable<Instance>, invalid: Map<Instance, string>, expected: Set<Instance>): Plan {
  const plan: Plan = { stale: new Set(), boundaries: new Set(), accepting: new Map(), reasons: [], reload: undefined };
  const importers = importersOfAll();
  const seen = new Set<Instance>();
  const starts = [...changed];

  function visit(instance: Instance) {
    if (seen.has(instance)) return;
    seen.add(instance);
    plan.stale.add(instance);
    const takes = !invalid.has(instance) && (takesItself(instance) || expected.has(instance));
    if (takes) plan.boundaries.add(instance);
    else climb(instance);
  }

  function climb(instance: Instance) {
    const reason = reasonOf(instance, invalid.get(instance));
    if (instance.facts.refresh || reason.message) plan.reasons.push(reason);
    // Whoever shows a page shows what its module exports now.
    if (pages.has(instance.name)) plan.boundaries.add(instance);
    else if (instance.facts.main || wishesOf(instance)?.declines) plan.reload ??= firstReason(plan) ?? reason;
    for (const importer of importers.get(instance.name) ?? []) {
      if (accepts(importer, instance.name)) accept(plan, importer, instance.name);
      else visit(importer);
    }
  }

  for (const instance of starts) {
    if (!invalid.has(instance)) visit(instance);
    else if (!seen.has(instance)) {
      seen.add(instance);
      climb(instance);
    }
  }
  return plan;
}

function firstReason({ reasons }: Plan): Reason | undefined {
  return reasons.find((reason) => reason.export || reason.message) ?? reasons[0];
}

function reasonOf(instance: Instance, message: string | undefined): Reason {
  const other = otherExport(instance);
  return { module: instance.name, ...(other ? { export: other } : {}), ...(message ? { message } : {}) };
}

function takesItself(instance: Instance): boolean {
  const wishes = wishesOf(instance);
  return !wishes?.declines && (!!wishes?.acceptsItself || isBoundary(instance));
}

function accepts(importer: Instance, name: string): boolean {
  return !!wishesOf(importer)?.acceptances.some(({ names }) => names.includes(name));
}

function accept({ accepting }: Plan, importer: Instance, name: string) {
  const names = accepting.get(importer) ?? new Set();
  accepting.set(importer, names.add(name));
}

/** For each module, by its name, those of the page that ask for it in any way. */
export function importersOfAll(): Map<string, Set<Instance>> {
  const importers = new Map<string, Set<Instance>>();
  for (const instance of allInstances()) {
    const { imports = [], requires = [], loads = [] } = instance.facts;
    for (const name of [...imports, ...requires, ...loads.map(([name]) => name)]) {
      importers.set(name, (importers.get(name) ?? new Set()).add(instance));
    }
  }
  return importers;
}
