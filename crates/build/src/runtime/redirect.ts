// The script of a redirecting page. The parser waits for it, ahead of the page's refresh, which would drop the query
// and the hash.
import { carry } from "portalgen:carry";

const target = document.currentScript?.dataset.to;
if (target) {
  const destination = carry(target, location.search, location.hash);
  // What is never parsed cannot win a race. Before `replace`, since `stop` would abort that as well.
  window.stop();
  // Leaves no entry in the history, so that Back skips this page.
  location.replace(destination);
}
