import { useState } from "react";
import "./part.css";

export default function Part() {
  const [isOpen, open] = useState(false);
  return (
    <button id="part" onClick={() => open(true)}>
      {isOpen ? "open" : "part"}
    </button>
  );
}
