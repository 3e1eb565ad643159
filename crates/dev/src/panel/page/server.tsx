// Requests to the server, and word of what has changed there.
import type { Judgement, Language, List, Outcome, Settings, Wanted } from "portalgen:panel/protocol";

/** Pauses between attempts to connect, in milliseconds; the last one repeats. */
const pauses = [100, 250, 500, 1000, 2000];

/** What makes the list another one. */
const news = new Set(["hello", "update", "title", "reload", "problems", "solved"]);

/** Reads what a document of the panel says about the server. */
function readSettings(page: Document): Settings {
  const element = page.getElementById("panel-settings");
  if (!element?.textContent) throw new Error("portalgen: the document has no element `panel-settings`");
  return JSON.parse(element.textContent) as Settings;
}

let settings = readSettings(document);

/** The language of the messages. */
export const usualLanguage = settings.language;

async function ask<T>(name: string, language: Language, body?: unknown, signal?: AbortSignal): Promise<T> {
  const post = { method: "POST", headers: { "x-portalgen-token": settings.token }, body: JSON.stringify(body) };
  const request = { cache: "no-store" as const, ...(body === undefined ? {} : post), ...(signal ? { signal } : {}) };
  const response = await fetch(`panel/${name}?lang=${language}`, request);
  return (await response.json()) as T;
}

export function askForList(language: Language): Promise<List> {
  return ask("list", language);
}

/** Asks what saving these texts would say. */
export function judge(path: string, texts: Wanted[], language: Language, signal: AbortSignal): Promise<Judgement> {
  return ask("judge", language, { path, texts }, signal);
}

export function save(path: string, texts: Wanted[], language: Language): Promise<Outcome> {
  return ask("edit", language, { path, texts });
}

export function undo(language: Language): Promise<Outcome> {
  return ask("undo", language, {});
}

export interface Listener {
  /** Something has changed. */
  changed: () => void;
  showAway: (isAway: boolean) => void;
}

/** Listens to the server until the returned function is called. A connection that is lost is made again. */
export function listen({ changed, showAway }: Listener): () => void {
  let socket: WebSocket | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let attempts = 0;
  let isOver = false;

  const open = () => {
    const address = new URL("socket", location.href);
    address.protocol = address.protocol.replace("http", "ws");
    address.search = `token=${settings.token}`;
    address.hash = "";
    socket = new WebSocket(address);
    socket.onopen = () => {
      attempts = 0;
      showAway(false);
    };
    socket.onmessage = ({ data }) => isNews(data) && changed();
    socket.onclose = () => {
      if (isOver) return;
      if (attempts > 0) showAway(true);
      retry = setTimeout(() => void renew().then(open), pauses[Math.min(attempts++, pauses.length - 1)]);
    };
  };

  open();
  return () => {
    isOver = true;
    clearTimeout(retry);
    socket?.close();
  };
}

/** A server that was started again has another token, which its documents say. What is typed here need not be lost for that. */
async function renew() {
  try {
    const text = await (await fetch(location.pathname, { cache: "no-store" })).text();
    settings = readSettings(new DOMParser().parseFromString(text, "text/html"));
  } catch {
    // It is not there yet.
  }
}

function isNews(data: unknown): boolean {
  try {
    return news.has((JSON.parse(String(data)) as { type: string }).type);
  } catch {
    return false;
  }
}
