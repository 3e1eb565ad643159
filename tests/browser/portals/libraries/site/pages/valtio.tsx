import { proxy, useSnapshot } from "valtio";
import { proxyMap } from "valtio/utils";

const state = proxy({
  count: 1,
  get double() {
    return this.count * 2;
  },
});
const names = proxyMap([["a", "Ada"]]);

export default function Valtio() {
  const { count, double } = useSnapshot(state);
  const known = useSnapshot(names);
  return (
    <>
      <h1>valtio</h1>
      <p data-testid="count">{`${count}, ${double}`}</p>
      <p data-testid="names">{[...known.values()].join(", ")}</p>
      <button onClick={() => state.count++}>Count</button>
      <button onClick={() => names.set("g", "Grace")}>Name</button>
    </>
  );
}
