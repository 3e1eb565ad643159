import { useCounter, useLocalStorage, useToggle } from "usehooks-ts";

export default function UsehooksTs() {
  const { count, increment } = useCounter(3);
  const [on, toggle] = useToggle();
  const [name, setName] = useLocalStorage("usehooks-name", "Ada", { initializeWithValue: false });
  return (
    <>
      <h1>usehooks-ts</h1>
      <output>{`${on ? "on" : "off"} ${count} ${name}`}</output>
      <button onClick={toggle}>Toggle</button>
      <button onClick={increment}>Count</button>
      <button onClick={() => setName("Grace")}>Rename</button>
    </>
  );
}
