// What stays in the corner while the overlay is closed: how many problems there are, and whether the server is away.
import type { Listed } from "../problems";
import type { Severity } from "../protocol";
import type { Sentences } from "../sentences";
import { make } from "./dom";

export class Badge {
  readonly element = make("div", { class: "badge" });
  private readonly away = make("p", { class: "pill away", role: "status" });
  private readonly button: HTMLButtonElement;

  constructor(
    private readonly sentences: Sentences,
    open: () => void,
  ) {
    this.button = make("button", { class: "pill", type: "button", "aria-haspopup": "dialog", click: open });
    this.button.hidden = this.away.hidden = true;
    this.element.append(this.button, this.away);
  }

  /** Shows how many problems there are, of which the gravest is the first; nothing if there are none. */
  count(problems: Listed[]) {
    const { errors, warnings, notes, show } = this.sentences;
    const part = (severity: Severity, say: (count: number) => string) => {
      const count = problems.filter((problem) => problem.severity === severity).length;
      return count ? say(count) : [];
    };
    const summary = [part("error", errors), part("warning", warnings), part("note", notes)].flat().join(" · ");
    this.button.hidden = !summary;
    this.button.className = `pill ${problems[0]?.severity ?? ""}`;
    this.button.setAttribute("aria-label", show(summary));
    this.button.replaceChildren(dot(), summary);
  }

  /** Shows that the server is away. */
  showAway(text: string | undefined) {
    this.away.hidden = text === undefined;
    this.away.replaceChildren(...(text === undefined ? [] : [dot(), text]));
  }
}

function dot(): HTMLElement {
  return make("span", { class: "dot", "aria-hidden": "true" });
}
