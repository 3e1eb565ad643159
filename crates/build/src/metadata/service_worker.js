// Takes the place of the service worker that an earlier site had under this name: empties its caches, goes, and has the
// pages that are open loaded anew.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(leave()));

async function leave() {
  const { scope } = self.registration;
  const hasHost = new URL(scope).pathname === "/";
  for (const name of await caches.keys()) {
    // In a folder of a host, others have caches as well.
    if (hasHost || name.includes(scope)) await caches.delete(name);
  }
  const pages = await self.clients.matchAll({ type: "window" });
  await self.registration.unregister();
  await Promise.allSettled(pages.map((page) => page.navigate(page.url)));
}
