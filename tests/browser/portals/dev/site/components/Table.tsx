import { LIMITS } from "../pages/about";

export function Table() {
  return <p id="rows">{LIMITS.rows} rows</p>;
}
