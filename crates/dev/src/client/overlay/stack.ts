// The calls that led to an exception. Those in packages are folded: the mistake is rarely there.
import type { Frame } from "../protocol";
import type { Sentences } from "../sentences";
import { make } from "./dom";
import type { PlaceButton } from "./places";

export function stackOf(frames: Frame[], sentences: Sentences, button: PlaceButton): HTMLElement {
  return make("ol", { class: "stack" }, ...runsOf(frames).map((run) => runOf(run, sentences, button)));
}

/** Frames in runs of those that belong to packages, and of those that do not. */
function runsOf(frames: Frame[]): Frame[][] {
  const runs: Frame[][] = [];
  for (const frame of frames) {
    const last = runs.at(-1);
    if (last?.[0] && isForeign(last[0]) && isForeign(frame)) last.push(frame);
    else runs.push([frame]);
  }
  return runs;
}

function isForeign(frame: Frame): boolean {
  return frame.package !== undefined;
}

function runOf(run: Frame[], sentences: Sentences, button: PlaceButton): HTMLElement {
  const lines = run.map((frame) => frameOf(frame, sentences, button));
  const packages = [...new Set(run.flatMap((frame) => frame.package ?? []))];
  if (!packages.length) return lines[0] ?? make("li");
  const summary = make("summary", {}, sentences.folded(run.length, packages.join(", ")));
  return make("li", {}, make("details", {}, summary, make("ol", { class: "stack" }, ...lines)));
}

function frameOf({ name, place }: Frame, { anonymous }: Sentences, button: PlaceButton): HTMLElement {
  return make("li", { class: "frame" }, make("code", {}, name || anonymous), place ? button(place, place.id) : undefined);
}
