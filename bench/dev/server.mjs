// A development server, from its start to its end.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";

import { modules } from "./sites.mjs";

/** What is deleted before a start without any cache, in the folder of a site. */
const caches = { portalgen: ["site/node_modules/.cache"], vite: ["node_modules/.vite"] };

export class Server {
  constructor(tool, site, folder, command) {
    Object.assign(this, { tool, site, folder, command });
    this.file = path.join(folder, modules[tool], site.file);
  }

  /** Starts the server without any cache. Answers when it has answered a request for the home page, with how long that took. */
  async start() {
    for (const cache of caches[this.tool]) await rm(path.join(this.folder, cache), { recursive: true, force: true });
    const port = await freePort();
    this.origin = `http://localhost:${port}`;
    const [program, ...args] = this.command(port);
    this.startedAt = now();
    this.process = spawn(program, args, { cwd: this.folder, stdio: ["pipe", "ignore", "pipe"], env: process.env });
    this.said = "";
    this.process.stderr.setEncoding("utf8").on("data", (text) => (this.said += text));
    for (;;) {
      const response = await fetch(this.origin, { headers: { accept: "text/html" } }).catch(() => undefined);
      if (response?.ok) return now() - this.startedAt;
      if (this.process.exitCode !== null) throw new Error(`${program} has ended:\n${this.said}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  async stop() {
    this.process.kill("SIGTERM");
    await once(this.process, "exit");
  }

  /** Bytes of memory that the server occupies. */
  async memory() {
    const status = await readFile(`/proc/${this.process.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) * 1024;
  }
}

/** Milliseconds since 1970, as pages count them. */
export const now = () => performance.timeOrigin + performance.now();

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
