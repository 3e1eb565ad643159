import { useRef, useState } from "react";
import { useGSAP } from "@gsap/react";
import gsap from "gsap";

gsap.registerPlugin(useGSAP);

export default function Gsap() {
  const scope = useRef<HTMLDivElement>(null);
  const [done, setDone] = useState("");
  const { contextSafe } = useGSAP({ scope });
  const move = contextSafe(() => {
    gsap.to(".box", { x: 100, duration: 0.1, onComplete: () => setDone("arrived") });
  });
  return (
    <div ref={scope}>
      <h1>GSAP</h1>
      <div className="box" data-testid="box">
        Box
      </div>
      <button onClick={move}>Move</button>
      <output>{done}</output>
    </div>
  );
}
