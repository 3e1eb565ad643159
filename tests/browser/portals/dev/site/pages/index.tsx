import { useState } from "react";
import { Panel } from "../components/Panel";

export default function Home() {
  const [count, setCount] = useState(0);
  return (
    <>
      <h1>Home</h1>
      <button id="page" onClick={() => setCount(count + 1)}>
        {count}
      </button>
      <Panel />
    </>
  );
}
