// Web servers for the tests. They listen on the loopback address only, on a port that the system chooses.
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

/** What a host answers to a path. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

export type Respond = (url: URL) => Answer | Promise<Answer>;

interface Hold {
  pattern: RegExp;
  released: Promise<void>;
}

/** A web server whose answers a test can hold back or lose. */
export class Host {
  /** Path and query of every request since the last reset, in the order of their arrival. */
  requests: string[] = [];
  /** The same of documents that browsers went to. */
  documents: string[] = [];
  private holds: Hold[] = [];
  private losses: RegExp[] = [];
  private headers: Record<string, string> = {};

  private constructor(
    private readonly server: Server,
    private respond: Respond,
    /** Host and port that it listens on: `127.0.0.1:1234`. */
    readonly address: string,
    /** The origin of its pages: `http://127.0.0.1:1234`. */
    readonly origin: string,
  ) {}

  /** Starts a host, whose pages have the origin `origin` if browsers are told so, see `routing`. */
  static async start(respond: Respond, origin?: string): Promise<Host> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const host = new Host(server, respond, address, origin ?? `http://${address}`);
    server.on("request", (request, response) => void host.handle(request, response));
    return host;
  }

  /** Answers with `respond` from now on, and sends `headers` along. */
  serve(respond: Respond, headers: Record<string, string> = {}) {
    this.respond = respond;
    this.headers = headers;
  }

  /** The answer to a request for `url`. */
  async answer(url: string | URL): Promise<Answer> {
    const { status, headers, body } = await this.respond(new URL(url, this.origin));
    return { status, headers: { ...this.headers, ...headers }, body };
  }

  /** Sends other headers with each answer from now on. */
  send(headers: Record<string, string>) {
    this.headers = headers;
  }

  /** Keeps the answers to requests that match `pattern` until the function that it returns is called. */
  hold(pattern: RegExp): () => void {
    const { promise, resolve } = withResolvers();
    this.holds.push({ pattern, released: promise });
    return resolve;
  }

  /** Answers 404 to requests that match `pattern`, as a host does after a deployment that removed the file. */
  lose(pattern: RegExp) {
    this.losses.push(pattern);
  }

  /** Undoes every `lose`. */
  find() {
    this.losses = [];
  }

  reset() {
    this.requests = [];
    this.documents = [];
    this.holds = [];
    this.losses = [];
  }

  async stop() {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? "/", this.origin);
    const path = url.pathname + url.search;
    this.requests.push(path);
    if (request.headers["sec-fetch-mode"] === "navigate") this.documents.push(path);
    const isLost = this.losses.some((pattern) => pattern.test(path));
    await Promise.all(this.holds.filter(({ pattern }) => pattern.test(path)).map(({ released }) => released));
    const { status, headers, body } = isLost ? textAnswer(404, "lost") : await this.answer(url);
    response.writeHead(status, headers).end(body);
  }
}

/** The option of Chromium with which it goes to hosts where they listen, whatever the origin of their pages. */
export function routing(hosts: Host[]): string {
  const rules = hosts.map(({ origin, address }) => `MAP ${new URL(origin).host} ${address}`);
  return `--host-resolver-rules=${rules.join(",")}`;
}

function withResolvers() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

export function textAnswer(status: number, body: string): Answer {
  return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body };
}

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

/**
 * Serves `folder` below `base` as a plain static host does: a folder's `index.html` under the folder's name with a
 * slash, a redirect to that form from the one without, `404.html` for what is not there. Nothing else is made up.
 * Where addresses have no slash, `about.html` is served at `/about`, and the form with a slash leads there.
 */
export function staticFiles(folder: string, base: string, slash: "always" | "never" = "always"): Respond {
  const file = async (path: string, status = 200): Promise<Answer | undefined> => {
    try {
      const body = await readFile(join(folder, path));
      return { status, headers: { "content-type": types[extname(path)] ?? "application/octet-stream" }, body };
    } catch {
      return undefined;
    }
  };
  return async ({ pathname, search }) => {
    if (!`${pathname}/`.startsWith(base)) return textAnswer(404, "outside of the portal");
    const path = decoded(pathname.slice(base.length - 1));
    const found = await file(path.endsWith("/") || path === "" ? `${path}/index.html` : path);
    if (found && path !== "") return found;
    if (slash === "never" && path !== "") {
      if (path.endsWith("/")) {
        if (await file(`${path.slice(0, -1)}.html`)) return redirect(`${pathname.slice(0, -1)}${search}`);
      } else {
        const page = await file(`${path}.html`);
        if (page) return page;
      }
    }
    if (await file(`${path}/index.html`)) return redirect(`${pathname}/${search}`);
    return (await file("404.html", 404)) ?? textAnswer(404, "not found");
  };
}

/** A path on disk; an escape that is not UTF-8 stays as it is. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function redirect(location: string): Answer {
  return { status: 301, headers: { location }, body: "" };
}

/** The chat site: whatever is asked for, it is there. */
export function chatSite(): Answer {
  const body = '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Chat</title><h1>Chat</h1>';
  return { status: 200, headers: { "content-type": "text/html; charset=utf-8" }, body };
}
