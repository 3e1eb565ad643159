import { useState } from "react";
import { LazyMotion } from "motion/react";
import * as m from "motion/react-m";

/** The part of the library that animates, in a chunk of its own. */
const features = () => import("../components/motion-features").then((module) => module.default);

export default function Motion() {
  const [turned, setTurned] = useState(false);
  return (
    <LazyMotion features={features} strict>
      <h1>motion</h1>
      <m.div data-testid="box" initial={false} animate={{ rotate: turned ? 90 : 0 }} transition={{ duration: 0.05 }}>
        Arrow
      </m.div>
      <button onClick={() => setTurned(true)}>Turn</button>
    </LazyMotion>
  );
}
