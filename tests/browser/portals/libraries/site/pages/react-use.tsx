import { useCounter, useLocalStorage, useToggle, useWindowSize } from "react-use";

export default function ReactUse() {
  const [on, toggle] = useToggle(false);
  const [count, { inc }] = useCounter(3, 4);
  const [name, setName] = useLocalStorage("name", "Ada");
  const { width } = useWindowSize({ initialWidth: 640, initialHeight: 480 });
  return (
    <>
      <h1>react-use</h1>
      <p data-testid="state">{`${on ? "on" : "off"} ${count} ${name}`}</p>
      <p data-testid="width">{on && width}</p>
      <button onClick={toggle}>Toggle</button>
      <button onClick={() => inc()}>Count</button>
      <button onClick={() => setName("Grace")}>Rename</button>
    </>
  );
}
