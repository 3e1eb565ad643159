// How a search result may look.
import { useWords } from "portalgen:panel/language";
import type { List, Route, RouteText } from "portalgen:panel/protocol";

interface Props {
  list: List;
  route: Route;
  title: RouteText;
  description: RouteText;
}

export function SearchResult({ list, route, title, description }: Props) {
  const words = useWords();
  const { host, pathname } = urlOf(route);
  return (
    <figure className="preview">
      <figcaption>{words.result}</figcaption>
      <div className="result" lang={route.lang}>
        <p className="site">{list.name ?? host}</p>
        <p className="address">{[host, ...parts(pathname)].join(" › ")}</p>
        <p className="name">{title.inResults}</p>
        <p className="text">{description.inResults || <i lang={document.documentElement.lang}>{words.noDescription}</i>}</p>
      </div>
      {route.noindex && <p className="remark">{words.notListed}</p>}
    </figure>
  );
}

/** The address of a route; as long as nobody has said where the portal will be, that is here. */
export function urlOf({ url }: Route): URL {
  return new URL(url, location.origin);
}

function parts(pathname: string): string[] {
  return decodeURI(pathname).split("/").filter(Boolean);
}
