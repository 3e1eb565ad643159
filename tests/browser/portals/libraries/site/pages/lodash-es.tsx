import { useMemo, useState } from "react";
import { chunk, debounce, groupBy, kebabCase, sortBy } from "lodash-es";
import merge from "lodash-es/merge";

const islands = ["Ouessant", "Oléron", "Belle-Île", "Bréhat", "Sein", "Ré"];

export default function LodashEs() {
  const [typed, setTyped] = useState("");
  const settle = useMemo(() => debounce(setTyped, 20), []);
  const groups = groupBy(sortBy(islands), (name) => name[0]);
  const settings = merge({ map: { zoom: 1, layers: ["sea"] } }, { map: { zoom: 4 } });
  return (
    <>
      <h1>lodash-es</h1>
      <p data-testid="groups">{JSON.stringify(groups)}</p>
      <p data-testid="chunks">{JSON.stringify(chunk(islands, 4).map((part) => part.length))}</p>
      <p data-testid="merged">{JSON.stringify(settings)}</p>
      <label>
        Name <input onChange={(event) => settle(event.target.value)} />
      </label>
      <output>{kebabCase(typed)}</output>
    </>
  );
}
