// Pictures of every page, to be looked at: `cargo xtask screenshots DIR`.
import config from "./playwright.config.ts";

export default { ...config, testDir: ".", testMatch: "screenshots.ts", projects: [{ name: "screenshots" }] };
