import { useState } from "react";

/** State that shows whether a component has been mounted anew. */
export function Counter({ id }: { id: string }) {
  const [count, setCount] = useState(0);
  return (
    <button id={id} onClick={() => setCount(count + 1)}>
      {count}
    </button>
  );
}
