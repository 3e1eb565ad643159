// Asks for pages that are probably wanted next: where the visitor points at a link, or gets to one by the keyboard.
import { prepare } from "portalgen:load";
import { routeOf } from "portalgen:paths";

/** How long a visitor must point at a link, in milliseconds: less is passing by. */
const pause = 65;

let pointing: ReturnType<typeof setTimeout>;

export function prepareWhatIsPointedAt() {
  // Visitors who save data did not ask for this.
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return;
  const options = { passive: true };
  addEventListener("pointerover", (event) => whenPointedAt(event.target), options);
  addEventListener("pointerout", () => clearTimeout(pointing), options);
  addEventListener("pointerdown", (event) => prepareTarget(event.target), options);
  addEventListener("focusin", (event) => prepareTarget(event.target), options);
}

function whenPointedAt(target: EventTarget | null) {
  clearTimeout(pointing);
  pointing = setTimeout(prepareTarget, pause, target);
}

function prepareTarget(target: EventTarget | null) {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (`${link.pathname}/`.startsWith(import.meta.env.BASE_URL)) prepare(routeOf(link.pathname));
}
