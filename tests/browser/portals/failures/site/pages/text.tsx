import { useState } from "react";

export default function Text() {
  const [count, setCount] = useState(0);
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <h1>Text</h1>
      <button id="toggle" onClick={() => setOpen(!isOpen)}>
        Toggle
      </button>
      <button id="add" onClick={() => setCount(count + 1)}>
        Add
      </button>
      <p id="shown">
        {isOpen && "shown"}
        {isOpen ? <b>bold</b> : "hidden"} tail
      </p>
      <p id="counted">
        {count} times {count > 1 && <b>often</b>}
        {count % 2 ? "odd" : "even"}
      </p>
      <p id="sentences">One sentence. Another one {count}.</p>
    </>
  );
}
