import { useState } from "react";
import { Label } from "./Label";

export function Panel() {
  const [count, setCount] = useState(0);
  return (
    <section>
      <h2>Panel</h2>
      <button id="panel" onClick={() => setCount(count + 1)}>
        {count}
      </button>
      <Label />
    </section>
  );
}
