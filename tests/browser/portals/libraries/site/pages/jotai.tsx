import { atom, Provider, useAtom, useAtomValue } from "jotai";
import { atomWithReset, useResetAtom } from "jotai/utils";

const celsius = atomWithReset(20);
const fahrenheit = atom((get) => get(celsius) * 1.8 + 32);

function Thermometer() {
  const [value, setValue] = useAtom(celsius);
  const reset = useResetAtom(celsius);
  return (
    <>
      <p data-testid="celsius">{value}</p>
      <p data-testid="fahrenheit">{useAtomValue(fahrenheit)}</p>
      <button onClick={() => setValue((before) => before + 5)}>Warmer</button>
      <button onClick={reset}>Reset</button>
    </>
  );
}

export default function Jotai() {
  return (
    <Provider>
      <h1>jotai</h1>
      <Thermometer />
    </Provider>
  );
}
