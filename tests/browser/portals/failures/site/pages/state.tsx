import { useState } from "react";

function Bomb(): never {
  throw new Error("the state threw");
}

export default function State() {
  const [count, setCount] = useState(0);
  return (
    <>
      <h1>State</h1>
      <input id="input" aria-label="Input" />
      <button id="handler" onClick={() => Promise.reject(new Error("the handler threw"))}>
        Handler
      </button>
      <button id="add" onClick={() => setCount(count + 1)}>
        {count}
      </button>
      {count > 1 && <Bomb />}
    </>
  );
}
