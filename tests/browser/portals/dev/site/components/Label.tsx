import { useState } from "react";

export function Label() {
  const [count, setCount] = useState(0);
  return (
    <p>
      <span id="text">Label</span>
      <button id="label" onClick={() => setCount(count + 1)}>
        {count}
      </button>
    </p>
  );
}
