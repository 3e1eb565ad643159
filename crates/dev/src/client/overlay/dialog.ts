// The dialog with all problems, of which one shows in full.
import type { Listed } from "../problems";
import { kindOf, type Sentences } from "../sentences";
import { detailsOf } from "./details";
import { icon, make } from "./dom";
import { breakable, placeButtons, type PlaceButton, written } from "./places";

export interface DialogEvents {
  /** A place is to be opened in the editor. */
  open: (id: string) => void;
  /** Somebody has closed the dialog. */
  close: () => void;
}

export class ProblemDialog {
  readonly element: HTMLDialogElement;
  private readonly bar = make("div", { class: "bar" });
  private readonly list = make("nav", {});
  private readonly content = make("div", { class: "content" });
  private readonly notice = make("p", { class: "notice muted", role: "status" });
  private readonly button: PlaceButton;
  private problems: Listed[] = [];
  private selected = "";
  /** What shows, to tell whether there is something else to show. */
  private shown = "";

  constructor(
    private readonly sentences: Sentences,
    private readonly events: DialogEvents,
  ) {
    this.button = placeButtons(sentences, events.open);
    this.list.setAttribute("aria-label", sentences.list);
    const body = make("div", { class: "body" }, this.list, this.content);
    const panel = make("div", { class: "panel", tabindex: "-1" }, this.bar, body, make("div", { class: "foot" }, this.notice));
    this.element = make("dialog", { "aria-label": sentences.overlay, "aria-describedby": "message" }, panel);
    this.listen();
  }

  get isOpen(): boolean {
    return this.element.open;
  }

  /** Opens the dialog. What opens by itself is an alert. */
  open(problems: Listed[], isAsked: boolean) {
    this.selected = "";
    this.element.setAttribute("role", isAsked ? "dialog" : "alertdialog");
    this.renew(problems);
    this.say(problems.length > 1 ? this.sentences.keys : "");
    if (!this.element.isConnected) return;
    this.element.showModal();
    this.focusFirst();
  }

  /** Shows other problems, and the same one as before if it is still there. */
  renew(problems: Listed[]) {
    this.problems = problems;
    if (!problems.some(({ id }) => id === this.selected)) this.selected = problems[0]?.id ?? "";
    this.render();
  }

  /** Closes the dialog: the problems are gone. */
  close() {
    if (this.element.open) this.element.close();
  }

  /** Says something at the bottom. */
  say(text: string) {
    this.notice.textContent = text;
  }

  private listen() {
    const { element } = this;
    element.addEventListener("keydown", (event) => this.press(event));
    // Where something else than a key closes dialogs, such as a gesture.
    element.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.dismiss();
    });
    // A selection of text that ends beside the panel must not close it, so a click is not what counts.
    element.addEventListener("pointerdown", ({ target }) => target === element && this.dismiss());
    // The page has keys of its own.
    for (const name of ["keydown", "keyup", "keypress"]) element.addEventListener(name, (event) => event.stopPropagation());
  }

  private dismiss() {
    this.element.close();
    this.events.close();
  }

  private press(event: KeyboardEvent) {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (altKey || ctrlKey || metaKey) return;
    const isInList = this.list.contains(event.target as Node);
    const isInCode = (event.target as Element).classList.contains("code");
    if (key === "Escape") this.dismiss();
    else if (key === "Tab") return this.keepFocus(event, shiftKey);
    else if (key === "ArrowRight" && !isInCode) this.move(1, isInList);
    else if (key === "ArrowLeft" && !isInCode) this.move(-1, isInList);
    else if (key === "ArrowDown" && isInList) this.move(1, true);
    else if (key === "ArrowUp" && isInList) this.move(-1, true);
    else return;
    event.preventDefault();
  }

  /** Goes round inside: the browser would go on to its own bars. */
  private keepFocus(event: Event, isBackwards: boolean) {
    const all = this.focusable();
    const [first, last] = [all[0], all.at(-1)];
    const edge = isBackwards ? first : last;
    if ((this.element.getRootNode() as ShadowRoot).activeElement !== edge) return;
    (isBackwards ? last : first)?.focus();
    event.preventDefault();
  }

  private focusable(): HTMLElement[] {
    const all = this.element.querySelectorAll<HTMLElement>("button, summary, [tabindex='0']");
    return [...all].filter((element) => element.checkVisibility());
  }

  /** The place, where Enter opens the editor; otherwise the button that closes. */
  private focusFirst() {
    const target = this.content.querySelector<HTMLElement>("button.place") ?? this.bar.querySelector<HTMLElement>(".close");
    target?.focus({ preventScroll: true });
  }

  private move(by: number, isInList: boolean) {
    const count = this.problems.length;
    const index = this.problems.findIndex(({ id }) => id === this.selected);
    if (count > 1) this.select(this.problems[(index + by + count) % count]?.id ?? "", isInList);
  }

  private select(id: string, isInList: boolean) {
    this.selected = id;
    this.render();
    if (!isInList) return;
    const current = this.list.querySelector<HTMLElement>("[aria-current=true]");
    current?.focus();
    current?.scrollIntoView({ block: "nearest" });
  }

  /** Shows what there is now. What had the focus has it afterwards, as far as it is still there. */
  private render() {
    const state = JSON.stringify([this.problems, this.selected]);
    if (state === this.shown) return;
    this.shown = state;
    const index = Math.max(this.problems.findIndex(({ id }) => id === this.selected), 0);
    const problem = this.problems[index];
    if (!problem) return;
    const active = (this.element.getRootNode() as ShadowRoot).activeElement;
    const key = active instanceof HTMLElement ? active.dataset["key"] : undefined;
    this.element.className = problem.severity;
    this.bar.replaceChildren(...this.barOf(index));
    this.list.hidden = this.problems.length < 2;
    this.list.replaceChildren(make("ol", {}, ...this.problems.map((other) => this.entryOf(other))));
    this.content.replaceChildren(detailsOf(problem, this.sentences, this.button));
    this.content.scrollTop = 0;
    // Where there is nothing to be reached by Tab, it has to be, to be scrolled.
    this.content.tabIndex = this.content.querySelector("button, summary, [tabindex]") ? -1 : 0;
    if (!this.element.open || !active) return;
    const same = [...this.element.querySelectorAll<HTMLElement>("[data-key]")].find(({ dataset }) => dataset["key"] === key);
    if (same) same.focus({ preventScroll: true });
    else if (!active.isConnected) this.focusFirst();
  }

  private barOf(index: number): HTMLElement[] {
    const { sentences } = this;
    const action = (key: string, label: string, lines: string, click: () => void) =>
      make("button", { class: key, type: "button", "aria-label": label, title: label, "data-key": key, click }, icon(lines));
    const close = action("close", sentences.close, "M4 4l8 8M12 4l-8 8", () => this.dismiss());
    const count = this.problems.length;
    const title = make("span", { class: "title" }, "portalgen dev");
    if (count < 2) return [title, close];
    const position = make("span", { class: "position", "aria-live": "polite" }, sentences.position(index + 1, count));
    const previous = action("previous", sentences.previous, "M10 3.5 5.5 8l4.5 4.5", () => this.move(-1, false));
    const next = action("next", sentences.next, "M6 3.5 10.5 8 6 12.5", () => this.move(1, false));
    return [title, make("span", { class: "pager" }, previous, position, next), close];
  }

  private entryOf(problem: Listed): HTMLElement {
    const { id, severity, message, place } = problem;
    const isCurrent = String(id === this.selected);
    const attributes = { type: "button", "aria-current": isCurrent, "data-key": `entry ${id}`, click: () => this.select(id, true) };
    const where = place ? breakable(written(place)) : [kindOf(problem, this.sentences)];
    const words = make("span", {}, make("span", { class: "short" }, message.replaceAll("`", "")), make("span", { class: "where" }, ...where));
    return make("li", {}, make("button", attributes, make("span", { class: `dot ${severity}`, "aria-hidden": "true" }), words));
  }
}
