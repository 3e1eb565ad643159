// How a link to the page may look where it is shared.
import { useWords } from "portalgen:panel/language";
import type { Route, RouteText } from "portalgen:panel/protocol";
import { urlOf } from "portalgen:panel/result";

interface Props {
  route: Route;
  title: RouteText;
  description: RouteText;
}

export function SocialCard({ route, title, description }: Props) {
  const words = useWords();
  return (
    <figure className="preview">
      <figcaption>{words.card}</figcaption>
      <div className={route.image ? "card large" : "card"} lang={route.lang}>
        {route.image ? <img src={route.image} alt="" /> : <p className="no-image">{words.noImage}</p>}
        <div>
          <p className="address">{urlOf(route).host}</p>
          <p className="name">{title.shown}</p>
          {description.shown && <p className="text">{description.shown}</p>}
        </div>
      </div>
    </figure>
  );
}
