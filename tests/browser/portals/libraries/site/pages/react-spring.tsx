import { useState } from "react";
import { animated, useSpring } from "@react-spring/web";

export default function ReactSpring() {
  const [far, setFar] = useState(false);
  const { x } = useSpring({ x: far ? 100 : 0, config: { duration: 50 } });
  return (
    <>
      <h1>react-spring</h1>
      <animated.div data-testid="box" style={{ x }}>
        Box
      </animated.div>
      <animated.output>{x.to((value) => Math.round(value))}</animated.output>
      <button onClick={() => setFar(!far)}>Move</button>
    </>
  );
}
