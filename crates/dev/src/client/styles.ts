// The style sheets of the document: which ones are linked, and in which order.
import type { Sheet } from "./protocol";

/** How long a sheet may take, in milliseconds. Updates wait for it. */
const patience = 10_000;

/** Links of sheets that have been loaded, by their keys. */
type Links = Map<string, HTMLLinkElement>;

/**
 * Keeps the links of all sheets that loaded roots have. Whoever loads a root says so through `load`; a link that was added past
 * it keeps its place, and stays.
 */
export class Styles {
  /** The newest list of each root that somebody has told of. Roots that are not loaded may be loaded later. */
  private readonly lists = new Map<string, Sheet[]>();
  /** The newest address of each sheet: whoever asked for a list earlier has an older one. */
  private readonly addresses = new Map<string, string>();
  private readonly loaded = new Set<string>();
  /** Sheets that a loaded root has or had. Links of others are not to be removed. */
  private readonly named = new Set<string>();
  private readonly links: Links = new Map();
  /** Ends when all that was begun has. */
  private work: Promise<unknown> = Promise.resolve();

  /** `tell` is called with the sheets that could not be loaded, after each attempt. */
  constructor(private readonly tell: (missing: Sheet[]) => void) {}

  /** Takes note of roots whose sheets the document has linked. */
  adopt(roots: Record<string, Sheet[]>) {
    for (const [root, sheets] of Object.entries(roots)) this.learn(root, sheets);
  }

  /** Links the sheets of a root that is being loaded. They apply when the promise is fulfilled. */
  async load(root: string, sheets: Sheet[]) {
    this.learn(root, sheets);
    await this.add();
  }

  /** Takes over what an update says. Links of old sheets stay until `sweep`. */
  async update(addresses: Record<string, string>, roots: Record<string, Sheet[]>) {
    for (const [key, href] of Object.entries(addresses)) this.addresses.set(key, href);
    for (const [root, sheets] of Object.entries(roots)) {
      this.lists.set(root, sheets);
      for (const { key, href } of sheets) this.addresses.set(key, href);
    }
    await this.add();
  }

  /** Removes the links of sheets that no loaded root has any more. */
  async sweep() {
    await this.enqueue(() => {
      const wanted = new Set(this.wanted().map(({ key }) => key));
      for (const [key, link] of this.links) {
        if (wanted.has(key) || !this.named.has(key)) continue;
        link.remove();
        this.links.delete(key);
      }
    });
  }

  private learn(root: string, sheets: Sheet[]) {
    this.loaded.add(root);
    if (!this.lists.has(root)) this.lists.set(root, sheets);
    for (const { key, href } of sheets) {
      if (!this.addresses.has(key)) this.addresses.set(key, href);
      this.named.add(key);
      this.linkOf(key, href);
    }
  }

  /** All sheets that loaded roots have, in the order of the cascade. */
  private wanted(): Sheet[] {
    const sheets = new Map<string, Sheet>();
    for (const root of this.loaded) {
      for (const sheet of this.lists.get(root) ?? []) {
        this.named.add(sheet.key);
        sheets.set(sheet.key, { ...sheet, href: this.addresses.get(sheet.key) ?? sheet.href });
      }
    }
    return [...sheets.values()].sort((a, b) => a.place - b.place);
  }

  /** Links what is wanted, each sheet at its place. A sheet that is replaced goes when its successor applies. */
  private add(): Promise<void> {
    return this.enqueue(async () => {
      const wanted = this.wanted();
      const missing: Sheet[] = [];
      const changes = [...this.arrange(wanted), ...this.swapOthers(wanted)];
      await Promise.all(changes.map((change) => this.finish(change).catch(() => void missing.push(change.sheet))));
      this.tell(missing);
    });
  }

  /** Inserts a link for each sheet that has none, an old one, or one at another place. */
  private arrange(wanted: Sheet[]): Change[] {
    const changes: Change[] = [];
    let previous: HTMLLinkElement | undefined;
    for (const sheet of wanted) {
      let link = this.linkOf(sheet.key, sheet.href);
      if (!link || !isAt(link, sheet.href) || !follows(link, previous)) {
        const old = link;
        link = insert(sheet.href, previous ?? { before: old ?? this.first() });
        changes.push({ sheet, old, link });
      }
      previous = link;
    }
    return changes;
  }

  /** Does so for sheets that have changed and are linked, though no root that is known to be loaded has them. */
  private swapOthers(wanted: Sheet[]): Change[] {
    const keys = new Set(wanted.map(({ key }) => key));
    return [...this.addresses].flatMap(([key, href]) => {
      const old = keys.has(key) ? undefined : this.linkOf(key, href);
      return old && !isAt(old, href) ? [{ sheet: { key, href, place: NaN }, old, link: insert(href, old) }] : [];
    });
  }

  /** The link of a sheet, also if the document or somebody else has made it. */
  private linkOf(key: string, href: string): HTMLLinkElement | undefined {
    const known = this.links.get(key);
    if (known?.isConnected) return known;
    const file = withoutQuery(new URL(href, document.baseURI).href);
    const found = linked().find((link) => withoutQuery(link.href) === file);
    if (found) this.links.set(key, found);
    else this.links.delete(key);
    return found;
  }

  /** The first of the links in the document. */
  private first(): HTMLLinkElement | undefined {
    const links = new Set(this.links.values());
    return linked().find((link) => links.has(link));
  }

  /** Removes the old link when the new one applies. If it never does, the old one stays. */
  private async finish({ sheet, old, link }: Change) {
    try {
      await applied(link);
    } catch (error) {
      link.remove();
      throw error;
    }
    old?.remove();
    this.links.set(sheet.key, link);
  }

  private enqueue(task: () => void | Promise<void>): Promise<void> {
    const done = this.work.then(task);
    this.work = done.catch(() => undefined);
    return done;
  }
}

/** A link that was inserted, and the one that it replaces. */
interface Change {
  sheet: Sheet;
  old: HTMLLinkElement | undefined;
  link: HTMLLinkElement;
}

/** The place of the very first sheet; without a link, the end of the head. */
interface Before {
  before: HTMLLinkElement | undefined;
}

/** All style sheets that the document links. */
function linked(): HTMLLinkElement[] {
  return [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")];
}

/** The address of a sheet whatever its content is. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/, "");
}

function isAt(link: HTMLLinkElement, href: string): boolean {
  return link.href === new URL(href, document.baseURI).href;
}

function follows(link: HTMLLinkElement, previous: HTMLLinkElement | undefined): boolean {
  return !previous || (previous.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

/** Inserts the link of a sheet behind another one or before one. It loads from then on. */
function insert(href: string, position: HTMLLinkElement | Before): HTMLLinkElement {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  if (position instanceof HTMLLinkElement) position.after(link);
  else if (position.before) position.before.before(link);
  else document.head.append(link);
  return link;
}

/** Waits until a link's sheet applies. */
function applied(link: HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = reject;
    setTimeout(reject, patience);
  });
}
