/** 页面上显示的名称。标题里的名称来自 routes.toml。 */
export const product = "__PRODUCT__";
