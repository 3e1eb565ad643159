import { useState } from "react";

/** Counts how often it is pressed. */
export function Helpful() {
  const [count, setCount] = useState(0);
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      {count === 0 ? "Was this helpful?" : `Thank you (${count})`}
    </button>
  );
}
