import { useStore } from "@nanostores/react";
import { atom, computed } from "nanostores";

const $count = atom(1);
const $double = computed($count, (count) => count * 2);

export default function Nanostores() {
  const double = useStore($double);
  return (
    <>
      <h1>Nano Stores</h1>
      <button onClick={() => $count.set($count.get() + 1)}>Count</button>
      <output>{double}</output>
    </>
  );
}
