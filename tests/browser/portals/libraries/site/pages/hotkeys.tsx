import { useState } from "react";
import { useHotkeys } from "react-hotkeys-hook";

export default function Hotkeys() {
  const [count, setCount] = useState(0);
  useHotkeys("ctrl+k", () => setCount((count) => count + 1), { preventDefault: true });
  return (
    <>
      <h1>react-hotkeys-hook</h1>
      <output>{count}</output>
    </>
  );
}
