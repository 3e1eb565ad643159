/** The name as pages show it. Titles have it from routes.toml. */
export const product = "__PRODUCT__";
