import { useState } from "react";
import Papa from "papaparse";

export default function Papaparse() {
  const [text, setText] = useState('port,depth\nBrest,12\n"Sein, island",3');
  const { data } = Papa.parse<{ port: string; depth: number }>(text, { header: true, dynamicTyping: true });
  return (
    <>
      <h1>Papa Parse</h1>
      <p data-testid="rows">{data.map(({ port, depth }) => `${port}: ${depth}`).join("; ")}</p>
      <button onClick={() => setText(Papa.unparse([...data, { port: "Lorient", depth: 8 }]))}>Add</button>
    </>
  );
}
