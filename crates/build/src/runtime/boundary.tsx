// What stays when a component throws: the page as it last showed, without what React knew of it.
import { Component, type ReactNode, useLayoutEffect, useRef } from "react";

interface State {
  failure?: { error: unknown };
}

/** The root when the first component threw. React takes away what it holds only after that. */
let before: Element | undefined;

/** Whether something had the focus then. */
export let hadFocus = false;

/** An error that keeps everything from going on, since it is unknown what its page showed. */
let fatal: unknown;

/** Keeps what its children have shown so far when one of them throws. There is one for the page and the last around everything. */
export class Boundary extends Component<{ children: ReactNode; isLast?: boolean }, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    before ??= document.getElementById("root")!.cloneNode(true) as Element;
    hadFocus = document.activeElement !== document.body;
    return { failure: { error } };
  }

  override render() {
    const { failure } = this.state;
    if (failure && failure.error === fatal && !this.props.isLast) throw fatal;
    return failure ? <Remains error={failure.error} /> : this.props.children;
  }
}

/** How often children were shown anew at an address. To show them anew is to leave them, where they may throw again. */
const passages = { href: "", count: 0 };
const mostPassages = 9;

/** Shows its children anew when a page that is being left throws while it goes: the next one has nothing to do with that. */
export class Passage extends Component<{ children: ReactNode }, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    const { href } = location;
    if (passages.href !== href) Object.assign(passages, { href, count: 0 });
    passages.count++;
    return error === fatal || passages.count > mostPassages ? { failure: { error } } : {};
  }

  override render() {
    if (this.state.failure) throw this.state.failure.error;
    return this.props.children;
  }
}

/** How many copies stand for what has thrown. A development server has it mended while the page shows. */
let remains = 0;

/** Whether there are such copies. Only where a development server is. */
export function hasRemains(): boolean {
  return remains > 0;
}

function countRemains() {
  remains++;
  return () => void remains--;
}

/** Puts copies of the nodes that were here into the document. They take no part in React's tree. */
function Remains({ error }: { error: unknown }) {
  const place = useRef<HTMLTemplateElement>(null);
  if (import.meta.hot) useLayoutEffect(countRemains, []);
  useLayoutEffect(() => {
    const nodes = nodesAt(place.current!, before!);
    if (!nodes) {
      // What is around has changed as well: the last boundary keeps all of it.
      fatal = error;
      throw error;
    }
    const copies = nodes.map((node) => node.cloneNode(true) as ChildNode);
    place.current!.before(...copies);
    return () => copies.forEach((copy) => copy.remove());
  }, []);
  // An element that shows nothing and that style sheets do not count on: around the copies it would come between them and
  // the rules for children.
  return <template ref={place} />;
}

/** What stood in `root`, a copy of an earlier state, where `place` is the only child now; unknown if its surroundings differ. */
function nodesAt(place: Element, root: Element): ChildNode[] | undefined {
  const parent = counterpart(place.parentElement!, root);
  if (!parent) return undefined;
  const now = shownIn(place.parentElement!);
  const then = shownIn(parent);
  const start = now.indexOf(place);
  const end = then.length - (now.length - start - 1);
  return start <= end ? then.slice(start, end) : undefined;
}

/** Children without comments, of which there are more in what was prerendered. */
function shownIn(parent: Element): ChildNode[] {
  return [...parent.childNodes].filter(({ nodeType }) => nodeType !== Node.COMMENT_NODE);
}

/** The element of `root` that is where `element` is in the document. */
function counterpart(element: Element, root: Element): Element | undefined {
  if (element.id === root.id) return root;
  const parent = element.parentElement!;
  const found = counterpart(parent, root)?.children[[...parent.children].indexOf(element)];
  return found?.localName === element.localName ? found : undefined;
}
