// Random edits while pages show: `cargo xtask browser --config fuzz.config.ts`. What they find is not mended as fast as found.
import config from "./playwright.config.ts";

export default { ...config, testMatch: "*.fuzz.ts", projects: [{ name: "fuzz" }] };
