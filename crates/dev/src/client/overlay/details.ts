// All that is known about one problem.
import type { Listed } from "../problems";
import type { Cause, Related } from "../protocol";
import { registry } from "../registry";
import { kindOf, type Sentences } from "../sentences";
import { differenceOf } from "./difference";
import { make, prose } from "./dom";
import { excerptOf } from "./excerpt";
import type { PlaceButton } from "./places";
import { stackOf } from "./stack";

export function detailsOf(problem: Listed, sentences: Sentences, button: PlaceButton): HTMLElement {
  const { id, message, place, excerpt, hints = [], related = [], stack = [], components = [], causes = [], difference, of } = problem;
  // Where there are no modules, the page shows nothing but that there is a problem.
  const isBehind = of === "build" && problem.severity === "error" && registry() !== undefined;
  return make(
    "article",
    {},
    headOf(problem, sentences),
    make("h2", { id: "message" }, ...prose(message)),
    place ? button(place, id) : undefined,
    excerpt ? excerptOf(excerpt, place?.file ?? "", sentences) : undefined,
    difference ? differenceOf(difference, sentences) : undefined,
    section(sentences.hints, hints.length ? make("ul", {}, ...hints.map((hint) => make("li", {}, ...prose(hint)))) : undefined),
    section(sentences.related, related.length ? relatedOf(related, button) : undefined),
    section(sentences.stack, stack.length ? stackOf(stack, sentences, button) : undefined),
    section(sentences.components, components.length ? stackOf(components, sentences, button) : undefined),
    ...causes.map((cause) => section(sentences.causedBy, causeOf(cause, sentences, button))),
    isBehind ? make("p", { class: "muted" }, sentences.stays) : undefined,
  );
}

function headOf(problem: Listed, sentences: Sentences): HTMLElement {
  const { severity, route } = problem;
  const kind = make("span", { class: `kind ${severity}` }, kindOf(problem, sentences));
  return make("p", { class: "about" }, kind, route ? make("span", { class: "muted" }, sentences.onPage(route)) : undefined);
}

function section(label: string, content: Node | undefined): HTMLElement | undefined {
  return content && make("section", {}, make("h3", {}, label), content);
}

function relatedOf(related: Related[], button: PlaceButton): HTMLElement {
  const item = ({ message, place }: Related) => make("li", {}, make("span", {}, ...prose(message)), button(place, place.id));
  return make("ul", { class: "related" }, ...related.map(item));
}

function causeOf({ message, stack = [] }: Cause, sentences: Sentences, button: PlaceButton): HTMLElement {
  return make("div", {}, make("p", { class: "cause" }, ...prose(message)), stack.length ? stackOf(stack, sentences, button) : undefined);
}
