// The routes, with a field to find one.
import { type KeyboardEvent, useId, useState } from "react";
import type { Drafts } from "portalgen:panel/drafts";
import { countsOf } from "portalgen:panel/findings";
import { useWords } from "portalgen:panel/language";
import type { Route } from "portalgen:panel/protocol";

interface Props {
  routes: Route[];
  drafts: Drafts;
  selected: string | undefined;
  /** Called when a route is chosen, even if it was before. */
  choose: () => void;
}

export function RouteList({ routes, drafts, selected, choose }: Props) {
  const words = useWords();
  const [typed, setTyped] = useState("");
  const id = useId();
  const shown = routes.filter((route) => matches(route, typed));
  return (
    <nav className="routes" aria-label={words.routes}>
      <div className="filter">
        <label htmlFor={id}>{words.filter}</label>
        <input id={id} type="search" value={typed} onChange={(event) => setTyped(event.target.value)} />
        <p role="status">{shown.length > 0 ? words.count(shown.length, routes.length) : words.none}</p>
      </div>
      <ul onKeyDown={walk}>
        {shown.map((route) => (
          <li key={route.path}>
            <Item route={route} isSelected={route.path === selected} isEdited={route.path in drafts} choose={choose} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface ItemProps {
  route: Route;
  isSelected: boolean;
  isEdited: boolean;
  choose: () => void;
}

function Item({ route, isSelected, isEdited, choose }: ItemProps) {
  const words = useWords();
  const { errors, warnings } = countsOf(route);
  const { path, kind, status, noindex, title, redirect } = route;
  return (
    <a href={addressOf(path)} aria-current={isSelected ? "true" : undefined} onClick={choose}>
      <span className="path">{path}</span>
      {kind !== "retired" && <span className="text">{kind === "redirect" ? `→ ${redirect?.shown}` : title.shown}</span>}
      <span className="marks">
        {kind !== "page" && <span className="mark">{status ? `${words.kinds[kind]} ${status}` : words.kinds[kind]}</span>}
        {noindex && kind === "page" && <span className="mark">{words.hidden}</span>}
        {isEdited && <span className="mark edited">{words.edited}</span>}
        {errors > 0 && <span className="mark error">{words.errors(errors)}</span>}
        {warnings > 0 && <span className="mark warning">{words.warnings(warnings)}</span>}
      </span>
    </a>
  );
}

/** Where the panel shows a route. */
function addressOf(path: string): string {
  return `#${encodeURIComponent(path)}`;
}

/** The route that an address of the panel is about. */
export function pathIn(hash: string): string | undefined {
  try {
    return decodeURIComponent(hash.slice(1)) || undefined;
  } catch {
    return undefined;
  }
}

function matches({ path, title, description, redirect }: Route, typed: string): boolean {
  const text = [path, title.shown, description.shown, redirect?.shown].join("\n").toLowerCase();
  return typed.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/** Arrow keys go from link to link. */
function walk(event: KeyboardEvent<HTMLUListElement>) {
  const links = [...event.currentTarget.querySelectorAll("a")];
  const at = links.findIndex((link) => link === document.activeElement);
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 };
  const next = steps[event.key];
  if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
}
