// What a browser does when it loads a page, done by hand when a page comes without a load.

/** Scrolls to the element that `hash` names, to `position`, or to the top. */
export function scrollOnArrival(hash: string, position?: number) {
  const target = position === undefined && hash ? elementOf(hash) : null;
  if (target) target.scrollIntoView();
  else scrollTo({ top: position ?? 0, left: 0, behavior: "instant" });
}

function elementOf(hash: string): Element | null {
  const id = hash.slice(1);
  try {
    return document.getElementById(decodeURIComponent(id));
  } catch {
    return document.getElementById(id);
  }
}

/** Gives the page's main region the focus when what had it is gone. */
export function restoreFocus() {
  const { activeElement, body } = document;
  if (activeElement && activeElement !== body) return;
  const main = document.querySelector("main");
  if (!main) return;
  if (!main.hasAttribute("tabindex")) main.tabIndex = -1;
  main.focus({ preventScroll: true });
}

// Screen readers follow a region only if it was there before its text.
const announcer = document.createElement("div");
announcer.setAttribute("role", "status");
announcer.setAttribute("aria-live", "polite");
// Set from a script, which a policy against inline styles allows.
announcer.style.cssText =
  "position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap";
document.body.append(announcer);

/** Tells those who do not see the page that another one has come. */
export function announce(title: string) {
  announcer.textContent = title;
}
