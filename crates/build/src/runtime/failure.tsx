// What happens when something throws: it is reported, and the visitor is offered to load the page anew.
import { type ComponentType, type CSSProperties } from "react";
import { createRoot } from "react-dom/client";
import { importHooks } from "portalgen:error-hooks";

/** What is shown to visitors when something has failed. */
export interface NoticeProps {
  error: unknown;
  reload: () => void;
  close: () => void;
}

/** What is known about an error. */
export interface ErrorReport {
  /**
   * `uncaught`: a component threw, and the page is only what it showed before. `caught`: an error boundary of the site
   * shows something else, or a page threw while it was left. `hydration`: the page was prerendered differently, and
   * rendered anew. `load`: what a page needs could not be loaded or run.
   */
  kind: "uncaught" | "caught" | "hydration" | "load";
  /** The path of the page. */
  path: string;
  /** The components around the one that threw, as React writes them. */
  componentStack?: string | null | undefined;
}

/** What `error.tsx` exports. */
export interface ErrorHooks {
  default?: ComponentType<NoticeProps>;
  onError?: (error: unknown, report: ErrorReport) => void;
}

let hooks: Promise<ErrorHooks> | undefined;

/** Loads what the site has for errors, once. It may be what fails, and no page waits for it. */
export function loadHooks(): Promise<ErrorHooks> {
  return (hooks ??= importHooks());
}

const says: Record<ErrorReport["kind"], string> = {
  uncaught: "stopped working",
  caught: "failed in part",
  hydration: "was prerendered differently",
  load: "could not be loaded",
};

/** Writes an error of the page at `path` to the console, and tells the site. */
export async function report(
  error: unknown,
  kind: ErrorReport["kind"],
  componentStack?: string | null,
  path = location.pathname,
) {
  console.error(`portalgen: ${path} ${says[kind]}`, error);
  if (import.meta.hot) tellServer(error, { kind, path, componentStack });
  const { onError } = await loadHooks();
  try {
    onError?.(error, { kind, path, componentStack });
  } catch (another) {
    console.error("portalgen: onError of error.tsx has thrown", another);
  }
}

/** Tells a development server, whose client listens for this. */
function tellServer(error: unknown, report: ErrorReport) {
  (window as unknown as Record<symbol, ErrorHooks["onError"]>)[Symbol.for("portalgen.report")]?.(error, report);
}

// React knows where components were asked for while it calls somebody. Only its development build tells.
if (import.meta.hot) {
  void import("react").then(({ captureOwnerStack }) => {
    (window as unknown as Record<symbol, () => string | null>)[Symbol.for("portalgen.owners")] = captureOwnerStack;
  });
}

let isOpen = false;

/** Takes the notice away, if there is one. Only where a development server is. */
export let withdraw = () => {};

/** Shows the site's notice, or ours. */
export async function notify(error: unknown) {
  if (isOpen) return;
  isOpen = true;
  const { default: Notice = OwnNotice } = await loadHooks();
  open(Notice, error);
}

/** Apart from the page's tree, which may be gone. */
function open(Content: ComponentType<NoticeProps>, error: unknown) {
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place, {
    onUncaughtError: (another) => {
      console.error("portalgen: the notice of error.tsx has thrown", another);
      place.remove();
      if (Content !== OwnNotice) open(OwnNotice, error);
    },
    // React keeps some of the page's for the next root that shows something.
    onRecoverableError: (another) => void report(another, "hydration"),
  });
  const close = () => {
    root.unmount();
    place.remove();
    isOpen = false;
  };
  if (import.meta.hot) withdraw = () => isOpen && close();
  root.render(<Content error={error} reload={() => location.reload()} close={close} />);
}

// Set from a script, which a policy against inline styles allows.
const box: CSSProperties = {
  position: "fixed",
  zIndex: 2147483647,
  inset: "auto 0 0",
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  justifyContent: "center",
  gap: "8px 12px",
  padding: "12px 16px",
  borderTop: "1px solid",
  background: "Canvas",
  color: "CanvasText",
  font: "16px/1.5 system-ui, sans-serif",
};
const button: CSSProperties = {
  minHeight: 36,
  padding: "4px 16px",
  border: "1px solid",
  borderRadius: 6,
  background: "ButtonFace",
  color: "ButtonText",
  font: "inherit",
};

function OwnNotice({ reload, close }: NoticeProps) {
  const [message, again, away] = document.documentElement.lang.startsWith("zh")
    ? ["页面的一部分出了问题，内容仍可阅读。", "重新加载", "关闭"]
    : ["Part of this page has stopped working. You can still read it.", "Reload", "Close"];
  return (
    <div role="alert" style={box}>
      {message}
      <button style={button} onClick={reload}>
        {again}
      </button>
      <button style={button} onClick={close}>
        {away}
      </button>
    </div>
  );
}
