// Visitors of an earlier site, whose service worker answers for a portal that is there now.
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { Host, staticFiles } from "../support/host.ts";
import { expect, hydrated, missingFile, test } from "../support/test.ts";

test.use({ portalName: "releases", expectedMessages: missingFile });

const oldPage = `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Old</title><h1>Old</h1>
<script>navigator.serviceWorker.register("/NAME");</script>`;

/** Answers with what it has stored, for ever. */
const oldWorker = `
self.addEventListener("install", (event) => event.waitUntil(
  caches.open("workbox-precache-v2-" + self.registration.scope).then((cache) => cache.add("./")).then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => event.respondWith(
  caches.match(event.request.mode === "navigate" ? "./" : event.request).then((found) => found || fetch(event.request))));`;

for (const name of ["service-worker.js", "sw.js"]) {
  test(`${name} of an earlier site goes, with what it stored, and pages are loaded anew once`, async ({
    page,
    ownPortal: portal,
  }) => {
    await appendFile(join(portal.project, "routes.toml"), '\n[site]\nservice_worker = "remove"\n');
    await portal.rebuild();
    let isOld = true;
    const files = staticFiles(portal.folder, "/");
    const host = await Host.start((url) => {
      if (!isOld) return files(url);
      const [body, type] = url.pathname.endsWith(name)
        ? [oldWorker, "text/javascript"]
        : [oldPage.replace("NAME", name), "text/html"];
      return { status: 200, headers: { "content-type": type, "cache-control": "no-cache" }, body };
    });
    try {
      await page.goto(`${host.origin}/`);
      await page.evaluate(() => navigator.serviceWorker.ready);
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      isOld = false;
      host.reset();
      let documents = 0;
      page.on("request", (request) => (documents += Number(request.isNavigationRequest())));
      await page.goto(`${host.origin}/about/`);
      await expect(page.locator("h1")).toHaveText("About");
      await hydrated(page);
      await expect(page).toHaveTitle("About");
      expect(page.url()).toBe(`${host.origin}/about/`);
      await page.waitForTimeout(1000);
      // The one that the old worker answered, and the one that the new one asked for.
      expect(documents).toBe(2);
      expect(host.documents).toEqual(["/about/"]);
      const left = await page.evaluate(async () => [
        (await navigator.serviceWorker.getRegistrations()).length,
        (await caches.keys()).length,
      ]);
      expect(left).toEqual([0, 0]);
    } finally {
      await host.stop();
    }
  });
}
