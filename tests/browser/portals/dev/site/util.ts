import "./util.css";

export const util = "util";
