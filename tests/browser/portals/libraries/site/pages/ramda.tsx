import { useState } from "react";
import { groupBy, map, pipe, sortBy, toPairs, toUpper } from "ramda";

const initials = pipe(
  sortBy((name: string) => name),
  groupBy((name: string) => toUpper(name.charAt(0))),
  toPairs,
  map(([initial, names]) => `${initial}: ${(names ?? []).join(", ")}`),
);

export default function Ramda() {
  const [names, setNames] = useState(["brest", "sein", "belle-île"]);
  return (
    <>
      <h1>Ramda</h1>
      <output>{initials(names).join("; ")}</output>
      <button onClick={() => setNames([...names, "lorient"])}>Add</button>
    </>
  );
}
