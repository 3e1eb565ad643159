import { useMachine } from "@xstate/react";
import { assign, createMachine } from "xstate";

const lamp = createMachine({
  initial: "off",
  context: { lit: 0 },
  states: {
    off: { on: { switch: { target: "on", actions: assign({ lit: ({ context }) => context.lit + 1 }) } } },
    on: { on: { switch: "off" } },
  },
});

export default function Xstate() {
  const [state, send] = useMachine(lamp);
  return (
    <>
      <h1>XState</h1>
      <button onClick={() => send({ type: "switch" })}>Switch</button>
      <output>{`${String(state.value)}, lit ${state.context.lit} times`}</output>
    </>
  );
}
