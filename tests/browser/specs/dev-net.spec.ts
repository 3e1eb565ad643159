// `portalgen dev` in a network: https, backends, proxies in front of it, and addresses that others know.
import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { Echo, foreignSite, portOf, withTls } from "../support/backend.ts";
import { countTo, expect, expectSameDocument, open, type Project, test as base } from "../support/dev-portal.ts";
import { binary } from "../support/portalgen.ts";

interface Fixtures {
  backend: Echo;
}

const test = base.extend<Fixtures>({
  backend: async ({}, use) => {
    const backend = await Echo.start();
    await use(backend);
    await backend.stop();
  },
});

// The certificate is nobody's but portalgen's.
test.use({ ignoreHTTPSErrors: true });

/** Has `/api` passed on. */
function proxyTo(project: Project, port: number): Promise<void> {
  return addToRoutes(project, `[dev.proxy]\n"/api" = "http://localhost:${port}"\n`);
}

async function addToRoutes(project: Project, text: string) {
  await project.write("routes.toml", `${await project.read("routes.toml")}\n${text}`);
}

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = await Echo.start();
  const { port } = server;
  await server.stop();
  return port;
}

/** An edit shows, and the page keeps its state. */
async function expectUpdates(page: Page, project: Project) {
  await countTo(page, "page", 2);
  await project.edit("site/pages/index.tsx", "<h1>Home", "<h1>Still home");
  await expect(page.locator("h1")).toHaveText("Still home");
  await expect(page.locator("#page")).toHaveText("2");
  await expectSameDocument(page);
}

function statusOf(page: Page, path: string): Promise<number> {
  return page.evaluate(async (path) => (await fetch(path)).status, path);
}

test("https: pages follow edits over an encrypted socket", async ({ page, project, backend }) => {
  await proxyTo(project, backend.port);
  const dev = await project.serve("0", "--https");
  expect(dev.output).toMatch(/Portal +https:\/\/localhost:\d+\/\n/);
  const socket = page.waitForEvent("websocket");
  await open(page, dev);
  expect((await socket).url()).toMatch(`wss://127.0.0.1:${dev.port}/__portalgen/socket?`);
  expect(await page.evaluate(() => isSecureContext)).toBe(true);
  await expectUpdates(page, project);
  const echoed = await page.evaluate(() => {
    const socket = new WebSocket("/api/ws");
    socket.onopen = () => socket.send("over TLS");
    return new Promise((resolve) => (socket.onmessage = ({ data }) => resolve(data)));
  });
  expect(echoed).toBe("over TLS");
  // Whoever forgets the `s` is led there.
  await page.goto(`http://localhost:${dev.port}/about`);
  expect(page.url()).toBe(`https://localhost:${dev.port}/about/`);

  const file = join(project.state, "portalgen/https.pem");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const first = await readFile(file, "utf8");
  await dev.stop();
  await project.serve("0", "--https");
  expect(await readFile(file, "utf8"), "the certificate stays the same").toBe(first);
});

test.describe("a backend", () => {
  test("answers what pages ask for below its path", async ({ page, project, backend }) => {
    await proxyTo(project, backend.port);
    const dev = await project.serve();
    await open(page, dev);
    const answer = await page.evaluate(async () => (await fetch("/api/items?x=%2F", { method: "POST", body: "text" })).json());
    expect(answer).toMatchObject({ url: "/api/items?x=%2F", body: "text" });
    expect(answer.headers).toMatchObject({ host: `localhost:${backend.port}`, origin: dev.origin, "x-forwarded-proto": "http" });
    expect(JSON.stringify(answer)).not.toContain(/"token":"([^"]+)"/.exec(await page.content())![1]);
    const again = await page.evaluate(async () => (await fetch("/api")).json());
    expect(again.headers.cookie, "its cookies are those of the page").toBe("session=1");
    await expectUpdates(page, project);
  });

  test("has sockets beside that of updates", async ({ page, project, backend }) => {
    await proxyTo(project, backend.port);
    const dev = await project.serve();
    await open(page, dev);
    await page.evaluate(() => {
      const received: unknown[] = ((globalThis as any).received = []);
      const socket = new WebSocket("/api/ws", ["first", "second"]);
      socket.binaryType = "arraybuffer";
      socket.onmessage = ({ data }) => received.push(typeof data === "string" ? data : [...new Uint8Array(data)]);
      (globalThis as any).socket = socket;
      return new Promise((resolve) => (socket.onopen = resolve));
    });
    expect(await page.evaluate(() => (globalThis as any).socket.protocol)).toBe("second");
    for (let round = 0; round < 10; round++) {
      await page.evaluate((round) => {
        for (let number = 0; number < 100; number++) (globalThis as any).socket.send(`no JSON ${round * 100 + number}`);
      }, round);
      await project.edit("site/components/Label.tsx", round ? `>Label ${round}<` : ">Label<", `>Label ${round + 1}<`);
      await expect(page.locator("#text")).toHaveText(`Label ${round + 1}`);
    }
    await page.evaluate(() => (globalThis as any).socket.send(new Uint8Array([0, 255, 7])));
    await expect.poll(() => page.evaluate(() => (globalThis as any).received.length)).toBe(1001);
    const received = await page.evaluate(() => (globalThis as any).received);
    expect(received).toEqual([...Array.from({ length: 1000 }, (_, number) => `no JSON ${number}`), [0, 255, 7]]);
    expect(await page.evaluate(() => (globalThis as any).socket.readyState)).toBe(1);
    await expectSameDocument(page);
    expect(backend.asked).toEqual(["GET /api/ws"]);
  });

  test("that goes away is told of, and the server goes on", async ({ page, project, backend }) => {
    await proxyTo(project, backend.port);
    const dev = await project.serve();
    await open(page, dev);
    const closed = page.evaluate(() => {
      const socket = new WebSocket("/api/ws");
      (globalThis as any).socket = socket;
      return new Promise((resolve) => (socket.onclose = ({ code }) => resolve(code)));
    });
    await expect.poll(() => backend.asked.length).toBe(1);
    const { port } = backend;
    await backend.stop();
    expect(await closed).toBe(1006);
    expect(await statusOf(page, "/api")).toBe(502);
    await dev.says(/proxy \/api → http:\/\/localhost:\d+: nothing is listening there\n/);
    expect(dev.times("nothing is listening there")).toBe(1);
    await expectUpdates(page, project);
    const next = await Echo.start(port);
    expect(await statusOf(page, "/api")).toBe(200);
    await next.stop();
  });

  test("is out of reach for pages of others", async ({ page, project, backend }) => {
    await proxyTo(project, backend.port);
    const dev = await project.serve();
    const foreign = await foreignSite();
    await page.goto(`http://foreign.localhost:${portOf(foreign)}/`);
    const outcome = await page.evaluate(async (address) => {
      const tries = [
        fetch(address),
        fetch(address, { method: "POST", body: "text", mode: "no-cors" }).then(({ type }) => Promise.reject(type)),
        new Promise((resolve, reject) => {
          const socket = new WebSocket(address.replace("http", "ws"));
          [socket.onopen, socket.onerror] = [resolve, () => reject("closed")];
        }),
        new Promise((resolve, reject) => {
          const image = new Image();
          [image.onload, image.onerror] = [resolve, () => reject("no image")];
          image.src = address;
        }),
      ];
      return (await Promise.allSettled(tries)).map(({ status }) => status);
    }, `http://localhost:${dev.port}/api`);
    expect(outcome).toEqual(["rejected", "rejected", "rejected", "rejected"]);
    expect(backend.asked).toEqual([]);
    await dev.says(/the request came from a page of another origin; to allow it, start `portalgen dev --allow-host foreign\.localhost`/);
    foreign.close();
  });

  test("changes while the server runs", async ({ page, project, backend }) => {
    const port = await freePort();
    await addToRoutes(project, `[dev]\nport = ${port}\n`);
    const dev = await project.serve("");
    expect(dev.port).toBe(port);
    await open(page, dev);
    expect(await statusOf(page, "/api")).toBe(404);
    await proxyTo(project, backend.port);
    await expect.poll(() => statusOf(page, "/api")).toBe(200);
    // A mistake leaves everything as it was.
    await project.edit("routes.toml", "[dev]", "[dev]\nhosts = 7");
    await dev.says(/`hosts` must be a list, in brackets/);
    expect(await statusOf(page, "/api")).toBe(200);
    await project.edit("routes.toml", `hosts = 7\nport = ${port}`, "port = 65535");
    await dev.says(/restart to listen on port 65535\n/);
    expect(await statusOf(page, "/api")).toBe(200);
    await project.edit("routes.toml", '"/api"', '"/other"');
    await expect.poll(() => statusOf(page, "/api")).toBe(404);
    expect(await statusOf(page, "/other")).toBe(200);
    expect(dev.times("restart to listen")).toBe(1);
    await expectUpdates(page, project);
  });
});

test("the socket of updates has an address of its own", async ({ page, project }) => {
  const dev = await project.serve();
  const { port } = new URL(dev.origin);
  await addToRoutes(project, `[dev]\nsocket = "ws://sockets.localhost:${port}"\nhosts = ["sockets.localhost"]\n`);
  await dev.says(/updated routes\.toml/);
  const socket = page.waitForEvent("websocket");
  await open(page, dev);
  expect((await socket).url()).toMatch(`ws://sockets.localhost:${port}/__portalgen/socket?`);
  await expectUpdates(page, project);
});

test("a proxy with TLS and a name of its own stands in front", async ({ page, project }) => {
  await (await project.serve("0", "--https")).stop();
  const dev = await project.serve("0", "--base", "/docs/");
  const proxy = await withTls(await readFile(join(project.state, "portalgen/https.pem"), "utf8"), dev.port);
  const origin = `https://portal.localhost:${portOf(proxy)}`;
  const refused = await page.goto(`${origin}/docs/`);
  expect(refused!.status()).toBe(403);
  expect(await refused!.text()).toContain("--allow-host portal.localhost`");

  await addToRoutes(project, '[dev]\nhosts = ["portal.localhost"]\n');
  // An image opens no socket that could be taken for that of the page.
  await expect.poll(async () => (await page.goto(`${origin}/docs/favicon.svg`))!.status()).toBe(200);
  const socket = page.waitForEvent("websocket");
  dev.origin = origin;
  await open(page, dev, "/docs/about/");
  expect((await socket).url()).toMatch(`wss://portal.localhost:${portOf(proxy)}/docs/__portalgen/socket?`);
  await open(page, dev, "/docs/");
  await expectUpdates(page, project);
  proxy.closeAllConnections();
  proxy.close();
});

test("--lan: others reach it at the address that is shown", async ({ page, project }) => {
  const dev = await project.serve("0", "--lan=127.0.0.2");
  await dev.says(/Local network +http:\/\/127\.0\.0\.2:\d+\/\n/);
  expect(dev.output, "nothing is drawn into a pipe").not.toMatch(/[▀▄█]/);
  dev.origin = `http://127.0.0.2:${dev.port}`;
  await open(page, dev);
  await expectUpdates(page, project);
  const foreign = await page.goto(`http://other.localhost:${dev.port}/`);
  expect(foreign!.status()).toBe(403);
});

test("without --lan nothing but this machine reaches it", async ({ dev }) => {
  await expect(fetch(`http://127.0.0.2:${dev.port}/`)).rejects.toThrow();
});

test("a port that somebody has is refused, with who has it", async ({ project, backend }) => {
  await addToRoutes(project, `[dev]\nport = ${backend.port}\n`);
  const refused = await promisify(execFile)(binary, ["dev", "--root", project.folder]).catch((error) => error);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(new RegExp(`port ${backend.port} is in use \\(\\S+, PID ${process.pid}\\)`));
  expect(refused.stderr).toContain(`write \`--port ${backend.port + 1}\``);
});
