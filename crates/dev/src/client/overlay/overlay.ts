// The overlay: problems over the page, in a shadow root that the page's styles do not reach into.
import type { Language } from "../protocol";
import type { Listed } from "../problems";
import type { Sentences } from "../sentences";
import { Badge } from "./badge";
import { ProblemDialog } from "./dialog";
import { make } from "./dom";
import { css } from "./sheet";

class OverlayElement extends HTMLElement {}

const name = "portalgen-overlay";

export class Overlay {
  private readonly host: HTMLElement;
  private readonly badge: Badge;
  private readonly dialog: ProblemDialog;
  private readonly status = make("p", { class: "unseen", role: "status" });
  /** Problems that somebody has closed. */
  private closed = new Set<string>();
  private problems: Listed[] = [];

  /** `open` is called with the `id` of a place that is to be opened, and gives false if that cannot be. */
  constructor(
    language: Language,
    private readonly sentences: Sentences,
    open: (id: string) => boolean,
  ) {
    if (!customElements.get(name)) customElements.define(name, OverlayElement);
    this.host = document.createElement(name);
    this.host.lang = language === "zh" ? "zh-CN" : "en";
    this.dialog = new ProblemDialog(sentences, {
      open: (id) => open(id) || this.say(sentences.awayForOpening),
      close: () => this.noteClosed(),
    });
    this.badge = new Badge(sentences, () => this.dialog.open(this.problems, true));
    const root = this.host.attachShadow({ mode: "open" });
    // No policy about inline styles applies to sheets that a script makes.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [sheet];
    root.append(this.badge.element, this.status, this.dialog.element);
  }

  /** Shows problems: opens for errors of what is on the screen that nobody has closed, and goes when there are none. */
  show(problems: Listed[], route: string) {
    const wasShown = this.problems.length > 0;
    if (problems.length) this.attach();
    this.problems = problems;
    this.badge.count(problems);
    if (!problems.length) {
      this.dialog.close();
      this.closed.clear();
      this.status.textContent = wasShown ? this.sentences.solved : "";
    } else if (this.dialog.isOpen) {
      this.dialog.renew(problems);
    } else if (problems.some((problem) => this.isUrgent(problem, route))) {
      this.dialog.open(problems, false);
    } else if (!wasShown) {
      this.status.textContent = this.sentences.appeared(problems.length);
    }
  }

  /** Shows that the server is away, until it is called with nothing. */
  showAway(text: string | undefined) {
    if (text !== undefined) this.attach();
    this.badge.showAway(text);
  }

  private isUrgent({ severity, id, route }: Listed, shown: string): boolean {
    return severity === "error" && !this.closed.has(id) && (route === undefined || route === shown);
  }

  private noteClosed() {
    for (const { id } of this.problems) this.closed.add(id);
  }

  private say(text: string) {
    this.dialog.say(text);
  }

  /** Puts the overlay beside the body, which belongs to the page. The page may have thrown it out. */
  private attach() {
    if (this.host.isConnected) return;
    this.dialog.close();
    document.documentElement.append(this.host);
  }
}
