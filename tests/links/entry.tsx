// Renders links of the router and those of `portalgen:links`, and gives what differs.
import { forwardRef } from "react";
import { prerender } from "react-dom/static";
import { Link, type Navigator, NavLink, Router, UNSAFE_RouteContext as RouteContext } from "react-router";
import { createHrefLike, linkLike, navLinkLike, type Props, type Render } from "portalgen:links";
import { basename, createHref } from "portalgen:paths";

/** How often links were left to the router. */
let left = 0;

/** The same component, rendered as pages see it. */
function like(component: unknown, change: (original: Render) => Render) {
  const { render } = component as { render: Render };
  const original: Render = (props, ref) => {
    left++;
    return render(props, ref);
  };
  return forwardRef(change(original) as never);
}

const targets = [
  "/", "/a", "/a/", "/a/b", "/A/b", "/a/b/", "/ab", "/文", "/%E6%96%87", "/a b", "/a?x=1", "/a?", "/a#", "/a?#", "/a#x?y", "/?x#y",
  "/404", "/404/x", "/v1.2", "/a/index.html", "/a.html", "/~me", "/a-b_c", "/a&b=\"c\"<", "/a:b", "/a?b=/../c#//d",
  "", ".", "..", "../x", "x", "x/", "./x", "?y", "#z", "//host/x", "/a//b", "/./a", "/a/../b", "/a/.", "/.hidden", "\\x",
  "https://host/x", "mailto:a@b", "javascript:0", "/a\u{20}", "/a\n", { pathname: "/a" }, { search: "?q" }, { pathname: "/a", hash: "#h" },
];

const click = () => undefined;
const variants: Props[] = [
  {},
  { className: "c", id: "i", style: { color: "red" } },
  { target: "_blank", rel: "noopener", title: "t" },
  { "data-discover": "mine", "data-x": 1, "aria-label": "l", href: "/mine" },
  { "data-discover": "mine", "data-x": 1, "aria-label": "l", hidden: true, tabIndex: 0, lang: "en", dir: "ltr", role: "button", hrefLang: "de" },
  { reloadDocument: true, replace: true, state: { a: 1 }, preventScrollReset: true, viewTransition: true, onClick: click, relative: "path" },
  { relative: "route" },
  { discover: "none" },
  { prefetch: "intent" },
  { mask: "/masked" },
  { download: true, unknown: "u" },
  { dangerouslySetInnerHTML: { __html: "<i>" } },
];

type State = { isActive: boolean };
const ofNavLinks: Props[] = [
  {},
  { end: true },
  { caseSensitive: true },
  { end: true, caseSensitive: true, className: "c" },
  { className: ({ isActive }: State) => (isActive ? "on" : undefined), "aria-current": "true" },
  { className: (state: object) => JSON.stringify(state), style: (state: object) => ({ color: JSON.stringify(state).length }) },
  { style: { color: "red" }, className: false, children: ({ isActive }: State) => <b>{String(isActive)}</b> },
  { className: null, "aria-current": undefined },
];

/** All links, each as a component would write it. */
function cases(): [isNavLink: boolean, props: Props][] {
  const links = targets.flatMap((to) => variants.map((props): [boolean, Props] => [false, { to, children: "text", ...props }]));
  const ofBoth = [0, 4].flatMap((index) => ofNavLinks.map((own): Props => ({ ...variants[index], children: "text", ...own })));
  // The first property is the first attribute, wherever the target stands.
  const navLinks = targets.flatMap((to, index) => ofBoth.map((props): [boolean, Props] => [true, index % 2 ? { ...props, to } : { to, ...props }]));
  return [...links, ...navLinks];
}

/** Links on the page at a path, as HTML. */
async function rendered([AnyLink, AnyNavLink]: unknown[], createHref: Navigator["createHref"], here: string): Promise<string[]> {
  const [PlainLink, ActiveLink] = [AnyLink, AnyNavLink] as [typeof Link, typeof NavLink];
  const location = { pathname: here, search: "", hash: "", state: null, key: "default" };
  const route = here.slice(basename.length - 1);
  const match = { params: {}, pathname: route, pathnameBase: route, route: { path: route } };
  const navigator: Navigator = { createHref, go: click, push: click, replace: click };
  const link = ([isNavLink, props]: [boolean, Props], index: number) => {
    const all = { ...props, ...(props.dangerouslySetInnerHTML ? { children: undefined } : {}) };
    return <li key={index}>{isNavLink ? <ActiveLink {...(all as never)} /> : <PlainLink {...(all as never)} />}</li>;
  };
  const { prelude } = await prerender(
    <Router basename={basename} location={location} navigator={navigator} static>
      <RouteContext.Provider value={{ outlet: null, matches: [match], isDataRoute: false } as never}>
        <ul>{cases().map(link)}</ul>
      </RouteContext.Provider>
    </Router>,
  );
  return (await new Response(prelude).text()).split("<li>");
}

/** What differs on the page at a path below the base. */
export async function compare(path: string) {
  const here = basename + path;
  const expected = await rendered([Link, NavLink], createHref, here);
  const found = await rendered([like(Link, linkLike), like(NavLink, navLinkLike)], createHrefLike(createHref), here);
  const pairs = expected.map((html, index) => [html, found[index]]);
  return { count: found.length - 1, left, differing: pairs.filter(([html, own]) => html !== own).slice(0, 5) };
}
