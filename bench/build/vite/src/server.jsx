import { prerender } from "react-dom/static";
import { StaticRouter } from "react-router-dom";

import App from "./app.jsx";

/** The HTML of a page. */
export async function render(address) {
  const { prelude } = await prerender(
    <StaticRouter location={address}>
      <App />
    </StaticRouter>,
  );
  return new Response(prelude).text();
}
