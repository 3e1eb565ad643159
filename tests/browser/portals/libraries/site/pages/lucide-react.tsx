import { useState } from "react";
import { Anchor, Moon, Sun } from "lucide-react";

export default function LucideReact() {
  const [dark, setDark] = useState(false);
  const Icon = dark ? Moon : Sun;
  return (
    <>
      <h1>lucide-react</h1>
      <Anchor size={32} aria-label="Anchor" />
      <button aria-label="Theme" onClick={() => setDark(!dark)}>
        <Icon />
      </button>
    </>
  );
}
