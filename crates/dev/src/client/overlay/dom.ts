// Elements made from script. Text of others only ever becomes text nodes.

type Child = Node | string | undefined;
type Attributes = Record<string, string | undefined | ((event: Event) => void)>;

/** Makes an element. Functions among the attributes are listeners: `click`. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** Text with code in backticks. */
export function prose(text: string): Node[] {
  return text.split(/`([^`\n]+)`/).map((part, index) => (index % 2 ? make("code", {}, part) : new Text(part)));
}

/** An icon of lines on a grid of 16 by 16, for which others say what it means. */
export function icon(lines: string): SVGSVGElement {
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  const path = document.createElementNS(namespace, "path");
  const attributes = { viewBox: "0 0 16 16", fill: "none", stroke: "currentColor", "stroke-width": "1.6", "aria-hidden": "true" };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  path.setAttribute("d", lines);
  path.setAttribute("stroke-linecap", "round");
  path.setAttribute("stroke-linejoin", "round");
  svg.append(path);
  return svg;
}
