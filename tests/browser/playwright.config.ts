import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";
import type { NewPortal, Variant } from "./support/portals.ts";

const candidates = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const chromium = process.env["CHROMIUM"] || candidates.find(existsSync);
if (!chromium) throw new Error("Chromium is missing: install it, or set CHROMIUM to its path");

/** Features that Chromium is started without. Of several such lists it takes the last one, so Playwright's stands here too. */
const features = [
  // Two more pages for each window, of which nothing shows: half of what a short test costs.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
];

/** What must hold however the portal is built and served. */
const everywhere = ["arrival", "history", "metadata", "navigation", "not-found", "redirects"].map((name) => `${name}.spec.ts`);

/** What is about a portal that `portalgen init` has made. */
const init = "init.spec.ts";

/** What has a server of its own for each test: see `dev.config.ts`. */
export const dev = ["dev.spec.ts", "dev-net.spec.ts", "dev-panel.spec.ts", "dev-random.spec.ts"];

export default defineConfig<object, { variant: Variant; newPortal: NewPortal }>({
  testDir: "specs",
  globalSetup: "./support/portals.ts",
  forbidOnly: Boolean(process.env["CI"]),
  fullyParallel: true,
  workers: 2,
  retries: 0,
  // Long enough for a machine that does other things beside; what works is not slowed down by it.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: process.env["CI"] ? "dot" : "list",
  outputDir: "../../target/browser-tests",
  use: {
    launchOptions: {
      executablePath: chromium,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-quic",
        "--no-first-run",
        "--disable-component-update",
        "--disable-sync",
        `--disable-features=${features.join(",")}`,
      ],
    },
    viewport: { width: 1280, height: 800 },
    locale: "zh-CN",
    trace: "off",
  },
  projects: [
    { name: "production", testIgnore: [init, ...dev] },
    { name: "development", testMatch: [...everywhere, "libraries.spec.ts"], use: { variant: { mode: "development", base: "/" } } },
    { name: "base path", testMatch: everywhere, use: { variant: { mode: "production", base: "/app/" } } },
    {
      name: "without slash",
      testMatch: [...everywhere, "by-script.spec.ts", "paths.spec.ts"],
      use: { variant: { mode: "production", base: "/app/", slash: "never" } },
    },
    { name: "strict policy", testMatch: everywhere, use: { variant: { mode: "production", base: "/", headers: "own" } } },
    { name: "new portal", testMatch: init, use: { newPortal: "en", variant: { mode: "production", base: "/", headers: "own" } } },
    {
      name: "new portal in Chinese",
      testMatch: init,
      use: { newPortal: "zh", variant: { mode: "development", base: "/my-portal/" } },
    },
  ],
});
