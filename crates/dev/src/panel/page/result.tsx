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
  const host = list.host ?? location.host;
  return (
    <figure className="preview">
      <figcaption>{words.result}</figcaption>
      <div className="result" lang={route.lang}>
        <p className="site">{list.name ?? host}</p>
        <p className="address">{[host, ...parts(route.path)].join(" › ")}</p>
        <p className="name">{title.inResults}</p>
        <p className="text">{description.inResults || <i lang={document.documentElement.lang}>{words.noDescription}</i>}</p>
      </div>
      {route.noindex && <p className="remark">{words.notListed}</p>}
    </figure>
  );
}

function parts(path: string): string[] {
  return path.split("/").filter(Boolean);
}
