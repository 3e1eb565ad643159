import { useState } from "react";
import Fuse from "fuse.js";

const fuse = new Fuse([{ name: "Apple" }, { name: "Pear" }, { name: "Quince" }], { keys: ["name"], threshold: 0.4 });

export default function FusePage() {
  const [query, setQuery] = useState("aple");
  return (
    <>
      <h1>Fuse.js</h1>
      <input aria-label="Query" value={query} onChange={(event) => setQuery(event.target.value)} />
      <output>{fuse.search(query)[0]?.item.name}</output>
    </>
  );
}
