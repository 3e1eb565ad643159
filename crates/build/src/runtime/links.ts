// The router's links without what only browsers need of them. Prerendering renders each link once and clicks none, and most of a
// link of the router is hooks for clicks. The HTML is that of the router, attribute by attribute.
import { type ReactNode, useContext } from "react";
import { jsx } from "react/jsx-runtime";
import {
  type Location,
  type Navigator,
  UNSAFE_DataRouterStateContext as DataRouterStateContext,
  UNSAFE_LocationContext as LocationContext,
  UNSAFE_NavigationContext as NavigationContext,
} from "react-router";
import { basename, notFoundPath } from "portalgen:paths";
import { exceptions, slash } from "portalgen:site";

export type Props = Readonly<Record<string, unknown>>;
/** What renders a component that can have a ref. */
export type Render = (props: Props, ref: unknown) => ReactNode;

/** Properties that show in no HTML, or not here: `relative` says where paths start that do not start with `/`. */
const unseen = new Set(
  ["onClick", "preventScrollReset", "relative", "reloadDocument", "replace", "state", "target", "to", "viewTransition"],
);

/** Properties that the router hands on to the element as they are, beside those of `aria-` and `data-`. */
const handedOn = new Set(
  ["children", "className", "dir", "hidden", "hrefLang", "id", "lang", "rel", "role", "style", "tabIndex", "title"],
);

/** Properties that `NavLink` reads. */
const ofNavLink = new Set(["aria-current", "caseSensitive", "children", "className", "end", "style"]);

/** `Link`, where its properties tell all about it. Elsewhere it is `original`, the router's. */
export function linkLike(original: Render): Render {
  return (props, ref) => {
    const target = targetOf(props.to);
    const attributes = target && attributesOf(props);
    return attributes ? anchor(attributes, props, target) : original(props, ref);
  };
}

/** The same for `NavLink`. */
export function navLinkLike(original: Render): Render {
  return (props, ref) => {
    const target = targetOf(props.to);
    const isPlain = target && useContext(DataRouterStateContext) === null;
    const attributes = isPlain ? attributesOf(props, ofNavLink) : undefined;
    if (!target || !attributes) return original(props, ref);
    const { "aria-current": current = "page", className = "", style, children } = props;
    const isActive = leadsHere(target, props);
    const told = (value: unknown) =>
      typeof value === "function" ? value({ isActive, isPending: false, isTransitioning: false }) : value;
    attributes["aria-current"] = isActive ? current : undefined;
    attributes.className =
      typeof className === "function" ? told(className) : [className, isActive && "active"].filter(Boolean).join(" ");
    attributes.style = told(style);
    attributes.children = told(children);
    return anchor(attributes, props, target);
  };
}

/** `createHref` of `paths.ts`, where a path is that of a page as it stands: of segments in which nothing is escaped. */
export function createHrefLike(original: Navigator["createHref"]): Navigator["createHref"] {
  return (to) => {
    const { pathname = "", search = "", hash = "" } = typeof to === "string" ? {} : to;
    const route = pathname.slice(basename.length - 1);
    const isPlain = /^(?:\/[\w~-]+)+$/.test(pathname) && pathname.startsWith(basename);
    if (!isPlain || exceptions.has(route) || `${route}/`.startsWith(`${notFoundPath}/`)) return original(to);
    return pathname + (slash === "always" ? "/" : "") + search + hash;
  };
}

/** Where a link leads. */
interface Target {
  /** Below the base. */
  pathname: string;
  href: string;
  /** Where the page is. */
  location: Location;
}

/** Where a link leads whose path starts with `/` and is what it reads like. */
function targetOf(to: unknown): Target | undefined {
  const router = useContext(NavigationContext);
  const here = useContext(LocationContext);
  if (typeof to !== "string" || !router || !here || router.navigator.encodeLocation) return undefined;
  const [rest, hash] = cut(to, "#");
  const [pathname, search] = cut(rest, "?");
  // Backslashes are slashes to browsers, and `//` begins a host.
  if (!pathname.startsWith("/") || /[\0- \\]|\/[/.]/.test(pathname)) return undefined;
  const href = router.navigator.createHref({ pathname: below(router.basename, pathname), search, hash });
  return { pathname, href, location: here.location };
}

/** A text up to a sign, and from there on, if more than the sign is there. */
function cut(text: string, sign: string): [string, string] {
  const at = text.indexOf(sign);
  if (at < 0) return [text, ""];
  return [text.slice(0, at), at + 1 < text.length ? text.slice(at) : ""];
}

function below(base: string, pathname: string): string {
  if (base === "/") return pathname;
  return pathname === "/" ? base : `${base}/${pathname}`.replace(/\/{2,}/g, "/");
}

/** Whether `NavLink` calls a link active. */
function leadsHere({ pathname, location }: Target, { caseSensitive = false, end = false }: Props): boolean {
  const folded = (path: string) => (caseSensitive ? path : path.toLowerCase());
  const [here, there] = [folded(location.pathname), folded(pathname)];
  const endOfFolder = there !== "/" && there.endsWith("/") ? there.length - 1 : there.length;
  return here === there || (!end && here.startsWith(there) && here.charAt(endOfFolder) === "/");
}

/** What an element gets of the properties of a link, `others` aside. Nothing, if one of them is not known here. */
function attributesOf(props: Props, others?: ReadonlySet<string>): Record<string, unknown> | undefined {
  const attributes: Record<string, unknown> = {};
  for (const name of Object.keys(props)) {
    if (others?.has(name) || unseen.has(name)) continue;
    if (!handedOn.has(name) && !name.startsWith("aria-") && !name.startsWith("data-")) return undefined;
    attributes[name] = props[name];
  }
  return attributes;
}

function anchor(attributes: Record<string, unknown>, { target }: Props, { href }: Target): ReactNode {
  // In the router's order, which is that of the HTML.
  attributes.href = href;
  attributes.target = target;
  attributes["data-discover"] = "true";
  return jsx("a", attributes);
}
