import { useState } from "react";
import { useAutoAnimate } from "@formkit/auto-animate/react";

export default function AutoAnimate() {
  const [list] = useAutoAnimate<HTMLUListElement>({ duration: 20 });
  const [items, setItems] = useState(["One"]);
  return (
    <>
      <h1>AutoAnimate</h1>
      <ul ref={list}>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
      <button onClick={() => setItems(["Two", ...items])}>Add</button>
      <button onClick={() => setItems(items.slice(1))}>Remove</button>
    </>
  );
}
