// Stands in for `portalgen dev`: documents with the client script, style sheets, and the server's end of the WebSocket.
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { test as base } from "@playwright/test";
import type { ClientMessage, ServerMessage, Settings, Sheet } from "../../../crates/dev/src/client/protocol.ts";
import { bundleScript, root } from "./portalgen.ts";

export type { ClientMessage, Settings, Sheet };

/** What the document of a test is made of. */
export interface Document {
  settings: Partial<Settings>;
  /** In the head, behind the style sheets. */
  head: string;
  body: string;
  headers: Record<string, string>;
  /** Whether the document has the registry of modules. */
  hasRegistry: boolean;
}

/** A registry that notes what it is given, and ends as the test wants. */
const registry = `
  window.hot = { updates: [], running: 0, most: 0, outcomes: [], pause: 0 };
  window[Symbol.for("portalgen.hot")] = {
    async apply(update) {
      hot.most = Math.max(hot.most, ++hot.running);
      hot.updates.push(update);
      await new Promise((resolve) => setTimeout(resolve, hot.pause));
      hot.running--;
      const { error, ...outcome } = hot.outcomes.shift() ?? { kind: "applied" };
      return error ? { ...outcome, error: new Error(error) } : outcome;
    },
  };`;

export class DevServer {
  /** Messages of the page, in the order of their arrival. */
  received: ClientMessage[] = [];
  /** Addresses under which pages asked for the WebSocket. */
  connections: string[] = [];
  /** How often a browser went to a document. */
  documents = 0;
  /** Identity of the process. */
  start = "start-1";
  token = "secret";
  /** Where documents are kept by somebody in between: what they say about the server. */
  kept: Partial<Settings> = {};
  generation = 1;
  document: Document = { settings: {}, head: "", body: "<main><h1>Page</h1></main>", headers: {}, hasRegistry: true };
  /** Scripts of the page, by their paths. */
  scripts: Record<string, Buffer> = {};
  /** Content of style sheets, by their keys. */
  sheets: Record<string, string> = {};
  /** Keys of sheets that cannot be loaded. */
  lost = new Set<string>();
  private isAway = false;
  private readonly sockets = new Set<Duplex>();

  private constructor(
    private readonly server: Server,
    private readonly script: Buffer,
    readonly origin: string,
  ) {}

  static async serve(script: Buffer): Promise<DevServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const dev = new DevServer(server, script, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on("request", (request, response) => dev.respond(request, response));
    server.on("upgrade", (request, socket) => dev.upgrade(request, socket));
    return dev;
  }

  async stop() {
    this.goAway();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Sends a message to all pages. */
  send(message: ServerMessage) {
    for (const socket of this.sockets) socket.write(frame(JSON.stringify(message)));
  }

  /** Is another process from now on, which knows no token of the one before. */
  restart() {
    for (const socket of this.sockets) socket.destroy();
    this.start = "start-2";
    this.token = "secret-2";
  }

  /** Cuts all connections, and takes none until `comeBack`. */
  goAway() {
    this.isAway = true;
    for (const socket of this.sockets) socket.destroy();
  }

  comeBack() {
    this.isAway = false;
  }

  /** Messages of one type. */
  of<Type extends ClientMessage["type"]>(type: Type): Extract<ClientMessage, { type: Type }>[] {
    return this.received.filter((message) => message.type === type) as Extract<ClientMessage, { type: Type }>[];
  }

  /** A sheet in the state that its content has now. */
  sheet(key: string, place: number): Sheet {
    const hash = createHash("sha1").update(this.sheets[key] ?? "").digest("hex").slice(0, 8);
    return { key, href: `/__portalgen/style/${key}.css?${hash}`, place };
  }

  private respond({ url = "/", headers }: IncomingMessage, response: ServerResponse) {
    const { pathname } = new URL(url, this.origin);
    const key = /\/style\/(.+)\.css$/.exec(pathname)?.[1];
    if (pathname.endsWith("/client.js")) return void send(response, "text/javascript", this.script);
    if (pathname.endsWith("/registry.js")) return void send(response, "text/javascript", registry);
    const script = this.scripts[pathname];
    if (script) return void send(response, "text/javascript", script);
    if (key && this.lost.has(key)) return void response.writeHead(404).end();
    // Slow enough for what is shown meanwhile to be seen.
    if (key) return void setTimeout(() => send(response, "text/css", this.sheets[key] ?? ""), 60);
    if (pathname === "/favicon.ico") return void response.writeHead(204).end();
    if (headers["sec-fetch-mode"] === "navigate") this.documents++;
    send(response, "text/html; charset=utf-8", this.html(pathname), this.document.headers);
  }

  private html(pathname: string): string {
    const { settings, head, body, hasRegistry } = this.document;
    const all = { start: this.start, generation: 1, token: this.token, base: "/", language: "en", ...this.kept, ...settings };
    const folder = `${pathname.startsWith("/proxy/") ? "/proxy" : ""}${all.base}__portalgen/`;
    const sheets = new Map(Object.values(settings.roots ?? {}).flat().map((sheet) => [sheet.href, sheet.place]));
    const links = [...sheets].sort(([, a], [, b]) => a - b).map(([href]) => `<link rel="stylesheet" href="${href}">`);
    return `<!doctype html>
      <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>Page</title>
        ${links.join("\n")}
        <script type="application/json" id="portalgen-dev">${JSON.stringify(all)}</script>
        <script type="module" src="${folder}client.js"></script>
        ${hasRegistry ? `<script type="module" src="${folder}registry.js"></script>` : ""}
        ${head}
      </head>
      <body>${body}</body>
      </html>`;
  }

  private upgrade(request: IncomingMessage, socket: Duplex) {
    this.connections.push(request.url ?? "");
    if (this.isAway) return void socket.destroy();
    if (new URL(request.url ?? "", this.origin).searchParams.get("token") !== this.token) {
      return void socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
    }
    const accept = createHash("sha1")
      .update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest("base64");
    const lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade", `Sec-WebSocket-Accept: ${accept}`];
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    this.sockets.add(socket);
    socket.on("close", () => this.sockets.delete(socket));
    socket.on("error", () => {});
    let rest: Buffer = Buffer.alloc(0);
    socket.on("data", (data: Buffer) => {
      rest = Buffer.concat([rest, data]);
      for (let next = unframe(rest); next; next = unframe(rest)) {
        rest = next.rest;
        if (next.kind === 8) socket.end();
        if (next.kind === 1) this.received.push(JSON.parse(next.text));
      }
    });
    socket.write(frame(JSON.stringify({ type: "hello", start: this.start, generation: this.generation })));
  }
}

function send(response: ServerResponse, type: string, body: string | Buffer, headers: Record<string, string> = {}) {
  response.writeHead(200, { "content-type": type, "cache-control": "no-cache", ...headers }).end(body);
}

/** A text as one frame of RFC 6455. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.from([0x81, length]), payload]);
  const head = Buffer.from([0x81, 126, 0, 0]);
  head.writeUInt16BE(length, 2);
  return Buffer.concat([head, payload]);
}

/** The first frame of what has come, if it is complete. Those of browsers are masked. */
function unframe(data: Buffer): { kind: number; text: string; rest: Buffer } | undefined {
  if (data.length < 2) return undefined;
  const short = data[1]! & 127;
  const head = short === 126 ? 4 : 2;
  if (data.length < head + 4) return undefined;
  const length = short === 126 ? data.readUInt16BE(2) : short;
  const end = head + 4 + length;
  if (data.length < end) return undefined;
  const mask = data.subarray(head, head + 4);
  const payload = data.subarray(head + 4, end).map((byte, index) => byte ^ mask[index % 4]!);
  return { kind: data[0]! & 15, text: Buffer.from(payload).toString(), rest: data.subarray(end) };
}

/** Bundles a script of a page with the packages of the real portal, as the development builds that they have. */
export async function bundleOfPage(code: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "dev-page-"));
  try {
    await symlink(join(root, "site/node_modules"), join(folder, "node_modules"));
    await writeFile(join(folder, "page.js"), code);
    await bundleScript(join(folder, "page.js"), join(folder, "out"), ["--mode", "development", "--no-minify", "--root", folder]);
    return await readFile(join(folder, "out/page.js"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The test of what runs in pages of `portalgen dev`. */
export const test = base.extend<{ dev: DevServer }, { clientScript: Buffer }>({
  clientScript: [
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), "dev-client-"));
      await bundleScript(join(root, "crates/dev/src/client/client.ts"), folder);
      await use(await readFile(join(folder, "client.js")));
      await rm(folder, { recursive: true });
    },
    { scope: "worker" },
  ],

  dev: async ({ clientScript }, use) => {
    const dev = await DevServer.serve(clientScript);
    await use(dev);
    await dev.stop();
  },
});
