import { Children, cloneElement, Fragment, isValidElement, type ReactNode } from "react";

/** Characters at the end of a paragraph that stay on one line. */
const TAIL = 6;

/**
 * A piece of copy that ends a paragraph. Chinese may break between any two characters, and the best that a style sheet can
 * ask for, `text-wrap`, still leaves last lines of a single one: so the last characters are kept together.
 */
export function Text({ children }: { children: string }) {
  const characters = [...children];
  if (characters.length <= TAIL) return <span className="tail">{children}</span>;
  return (
    <>
      {characters.slice(0, -TAIL).join("")}
      <span className="tail">{characters.slice(-TAIL).join("")}</span>
    </>
  );
}

/** Running text. What `Text` does for a piece of copy is done for each of its paragraphs. */
export function Prose({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={className ? `${className} prose` : "prose"}>{withTails(children)}</div>;
}

function withTails(node: ReactNode): ReactNode {
  return Children.map(node, (child) => {
    if (!isValidElement<{ children?: ReactNode }>(child)) return child;
    if (typeof child.type !== "string" && child.type !== Fragment) return child;
    if (child.type !== "p" && child.type !== "li") return cloneElement(child, {}, withTails(child.props.children));
    return cloneElement(child, {}, ...withTail(Children.toArray(child.props.children)));
  });
}

function withTail(parts: ReactNode[]): ReactNode[] {
  const last = parts.at(-1);
  if (typeof last !== "string") return parts;
  if (last.length > 1) return [...parts.slice(0, -1), <Text>{last}</Text>];
  // A full stop after a link: the link is the tail.
  return [...parts.slice(0, -2), <span className="tail">{parts.slice(-2)}</span>];
}
