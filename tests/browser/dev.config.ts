// `portalgen dev` from end to end: `cargo xtask browser --config dev.config.ts`. Each test has a server of its own.
import config, { dev } from "./playwright.config.ts";

export default { ...config, testMatch: dev, projects: [{ name: "production" }] };
