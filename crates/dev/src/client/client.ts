// The script that keeps a page of `portalgen dev` as the sources are. It knows no framework: modules are the registry's.
import { isOfUpdate, PageErrors } from "./errors";
import { Overlay } from "./overlay/overlay";
import { ProblemList } from "./problems";
import type { Problem, Problems, ServerHello, ServerMessage, Sheet, Solved, Title, Update } from "./protocol";
import { type Changes, type Outcome, registry, told } from "./registry";
import { reloadBecause, reloadFor, tellReload } from "./reload";
import { currentRoute, routeOfAddress, watchAddress } from "./route";
import { sentencesIn } from "./sentences";
import { askForStart, readSettings, socketAddress } from "./settings";
import { Connection } from "./socket";
import { Styles } from "./styles";

const settings = readSettings();
const sentences = sentencesIn(settings.language);
const problems = new ProblemList();

/** The generation that the page shows. */
let { generation } = settings;
/** The newest generation that the server is known to have. */
let newest = generation;
/** The route on the screen. */
let route = currentRoute(settings.base);
/** What could not be applied: the next update brings it once more. */
let failed: Changes | undefined;
/** Whether the server is another process than the one that has sent the document, and a reload has not helped. */
let isOutdated = false;
/** Whether the page is on its way to a new document, so that nothing matters any more. */
let isLeaving = false;
/** Ends when all updates that have come are applied. */
let updates = scriptsRun();

const overlay = new Overlay(settings.language, sentences, (id) => connection.send({ type: "open", id }));
const styles = new Styles(tellMissing);
const errors = new PageErrors({
  sentences,
  route: () => route,
  send: (error) => connection.send(error),
  isOld: () => newest !== settings.generation,
  renew: () => reload(sentences.editedMeanwhile),
  show: (problem) => showPageProblems([problem]),
});
const connection = new Connection(socketAddress(settings, import.meta.url), {
  receive,
  fail: () => void compareStart(),
  misread: (text) => console.error(sentences.misread, text),
  showAway: (isAway) => overlay.showAway(isOutdated ? sentences.restarted : isAway ? sentences.away : undefined),
});

start();

function start() {
  tellReload(sentences);
  styles.adopt(settings.roots ?? {});
  // What loads a lazy part of a page says which sheets it comes with.
  (window as unknown as Record<symbol, Styles>)[Symbol.for("portalgen.styles")] = styles;
  if (settings.pageErrors !== false) errors.listen();
  watchAddress(followAddress);
}

function receive(message: ServerMessage) {
  if (isLeaving) return;
  switch (message.type) {
    case "hello":
      return greet(message);
    case "update":
      // What is wrong with one update must not keep the next one from coming.
      updates = updates.then(() => update(message)).catch((error) => console.error("portalgen:", error));
      return;
    case "title":
      return retitle(message);
    case "reload":
      return leave(message.reason);
    case "problems":
      return showProblems(message);
    case "solved":
      return showSolved(message);
  }
}

function greet({ start, generation: current }: ServerHello) {
  if (start !== settings.start) return restart(start);
  isOutdated = false;
  newest = current;
  overlay.showAway(undefined);
  connection.greet({ type: "hello", start, generation, route, at: routeOfAddress(settings.base) });
  errors.flush();
}

/** Finds out whether a server that takes no connection is another one. */
async function compareStart() {
  const start = await askForStart();
  if (start !== undefined && start !== settings.start && !isLeaving) restart(start);
}

/** Reloads, since nothing of the page is known to the server. */
function restart(start: string) {
  isLeaving = reloadFor(start);
  if (isLeaving) return;
  isOutdated = true;
  overlay.showAway(sentences.restarted);
}

/** Applies an update. New styles come before the code that uses them, and old ones go after it. */
async function update(latest: Update) {
  if (isLeaving) return;
  newest = latest.generation;
  const own = { ...latest, definitions: latest.definitions ? [latest.definitions] : [] };
  const whole = failed ? both(failed, own) : own;
  await styles.update(whole.styles, whole.roots);
  // Whatever the old code threw. What the new one throws from here on stays.
  problems.clear("update", "page");
  errors.forget();
  const outcome = await apply(whole);
  if (outcome.kind === "reload") {
    return reload(outcome.reason ? told(outcome.reason, sentences) : sentences.notApplied);
  }
  if (outcome.kind === "failed") return fail(whole, outcome.error);
  failed = undefined;
  ({ generation } = latest);
  await styles.sweep();
  show();
}

/** Has the registry apply an update. Styles are not its business here. */
async function apply({ definitions, removed }: Changes): Promise<Outcome> {
  const modules = registry();
  if (!modules) return { kind: "reload", reason: sentences.noModules };
  try {
    return await modules.apply({ definitions, removed });
  } catch (error) {
    return { kind: "failed", error };
  }
}

/** Two updates as one. Of what both tell, the later one is right. */
function both(first: Changes, second: Changes): Changes {
  const union = (name: "changed" | "removed", except: string[]) =>
    [...new Set([...first[name].filter((id) => !except.includes(id)), ...second[name]])];
  return {
    ...second,
    definitions: [...first.definitions, ...second.definitions],
    changed: union("changed", second.removed),
    removed: union("removed", second.changed),
    styles: { ...first.styles, ...second.styles },
    roots: { ...first.roots, ...second.roots },
  };
}

function fail(whole: Changes, error: unknown) {
  failed = whole;
  errors.tell(error, "update", "error");
  show();
}

/** Reloads, and has the terminal tell why. */
function reload(reason: string) {
  if (isLeaving) return;
  connection.send({ type: "reload", reason });
  leave(reason);
}

function leave(reason: string) {
  isLeaving = true;
  reloadBecause(reason);
}

function retitle({ route: of, title }: Title) {
  if (of === route) document.title = title;
  // The runtime remembers titles of pages for those who come back to them.
  dispatchEvent(new CustomEvent("portalgen:title", { detail: { route: of, title } }));
}

function showProblems({ of, problems: list }: Problems) {
  if (of === "page") return showPageProblems(list);
  problems.replace(of, list);
  show();
}

/** Shows errors of the page. They stay until the page has been updated. */
function showPageProblems(list: Problem[]) {
  for (const problem of list) {
    if (errors.answered(problem)) problems.put(isOfUpdate(problem) ? "update" : "page", problem);
  }
  show();
}

function showSolved({ of }: Solved) {
  problems.clear(...(of ? [of] : (["build", "render"] as const)));
  show();
}

function tellMissing(sheets: Sheet[]) {
  const warning = ({ key, href }: Sheet): Problem =>
    ({ id: `styles-${key}-${href}`, severity: "warning", message: sentences.noSheet(href) });
  problems.replace("styles", sheets.map(warning));
  show();
}

function show() {
  overlay.show(problems.all(), route);
}

/** The visitor may have moved on to another page, of which other problems show. */
function followAddress() {
  const now = currentRoute(settings.base);
  if (now === route) return;
  route = now;
  connection.send({ type: "route", route, at: routeOfAddress(settings.base) });
  show();
}

/** Waits until the scripts of the document have run, the registry among them. */
function scriptsRun(): Promise<void> {
  return new Promise((resolve) => {
    if (document.readyState === "complete") return resolve();
    addEventListener("DOMContentLoaded", () => resolve());
    addEventListener("load", () => resolve());
  });
}
