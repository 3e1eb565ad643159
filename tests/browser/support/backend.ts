// Servers beside `portalgen dev`: a backend that it passes requests on to, and a proxy with TLS in front of it.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";

/** By which a server shows that it knows what a WebSocket is. */
const proof = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** A backend that answers with what it was asked, and whose sockets send back what they are sent. */
export class Echo {
  /** What it was asked, each with method, path and body. */
  readonly asked: string[] = [];
  private readonly sockets = new Set<Duplex>();

  private constructor(private readonly server: Server) {
    server.on("connection", (socket: Socket) => {
      this.sockets.add(socket);
      socket.on("close", () => this.sockets.delete(socket)).on("error", () => {});
    });
    server.on("request", async (message: IncomingMessage, response) => {
      const body = (await message.toArray()).join("");
      this.asked.push(`${message.method} ${message.url} ${body}`);
      response.setHeader("content-type", "application/json");
      response.setHeader("set-cookie", "session=1; Domain=localhost; HttpOnly");
      response.end(JSON.stringify({ url: message.url, body, headers: message.headers }));
    });
    server.on("upgrade", (message: IncomingMessage, socket: Duplex) => {
      this.asked.push(`${message.method} ${message.url}`);
      const accept = createHash("sha1").update(`${message.headers["sec-websocket-key"]}${proof}`).digest("base64");
      const protocol = message.headers["sec-websocket-protocol"]?.split(", ").at(-1);
      const lines = ["HTTP/1.1 101 Switching Protocols", "connection: upgrade", "upgrade: websocket", `sec-websocket-accept: ${accept}`];
      if (protocol) lines.push(`sec-websocket-protocol: ${protocol}`);
      socket.write(`${lines.join("\r\n")}\r\n\r\n`);
      echoFrames(socket);
    });
  }

  static async start(port = 0): Promise<Echo> {
    const server = createServer();
    await listening(server, port);
    return new Echo(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Ends it, and every connection with it. */
  async stop() {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Sends frames back, without the mask that browsers put over them. */
function echoFrames(socket: Duplex) {
  let waiting = Buffer.alloc(0);
  socket.on("data", (data: Buffer) => {
    waiting = Buffer.concat([waiting, data]);
    for (let frame = firstFrame(waiting); frame; frame = firstFrame(waiting)) {
      waiting = waiting.subarray(frame.length);
      socket.write(frame.answer);
    }
  });
}

/** A whole frame of a browser, and what is to be sent back for it. */
function firstFrame(bytes: Buffer): { length: number; answer: Buffer } | undefined {
  if (bytes.length < 6) return undefined;
  const short = bytes[1]! & 0x7f;
  if (short > 125) throw new Error("This backend knows short messages only");
  const length = 6 + short;
  if (bytes.length < length) return undefined;
  const [mask, content] = [bytes.subarray(2, 6), bytes.subarray(6, length)];
  const plain = content.map((byte, at) => byte ^ mask[at % 4]!);
  return { length, answer: Buffer.concat([Buffer.from([bytes[0]!, short]), plain]) };
}

/** A reverse proxy that ends TLS, as nginx does: names and paths go through as they are. */
export async function withTls(pem: string, port: number): Promise<Server> {
  const server = createSecureServer({ key: pem, cert: pem });
  server.on("request", (message: IncomingMessage, response) => {
    const { method, headers, url: path } = message;
    const passed = request({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy());
    message.pipe(passed);
  });
  server.on("upgrade", (message: IncomingMessage, socket: Duplex) => {
    const passed = connect(port, "127.0.0.1");
    const headers = message.rawHeaders.map((text, at) => (at % 2 ? `${text}\r\n` : `${text}: `)).join("");
    passed.write(`${message.method} ${message.url} HTTP/1.1\r\n${headers}\r\n`);
    passed.pipe(socket).pipe(passed);
    passed.on("error", () => socket.destroy());
    socket.on("error", () => passed.destroy());
  });
  await listening(server, 0);
  return server;
}

/** A website of somebody else. */
export async function foreignSite(): Promise<Server> {
  const server = createServer((_, response) => response.setHeader("content-type", "text/html").end("<title>Foreign</title>"));
  await listening(server, 0);
  return server;
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
}
