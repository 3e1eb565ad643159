import { create } from "zustand";
import { persist } from "zustand/middleware";
import { useShallow } from "zustand/react/shallow";

interface Basket {
  items: string[];
  add: (item: string) => void;
}

const useBasket = create<Basket>()(
  persist(
    (set) => ({
      items: ["apple"],
      add: (item) => set(({ items }) => ({ items: [...items, item] })),
    }),
    { name: "basket" },
  ),
);

function Count() {
  const count = useBasket(useShallow(({ items }) => [items.length]));
  return <p data-testid="count">{count[0]}</p>;
}

export default function Zustand() {
  const { items, add } = useBasket();
  return (
    <>
      <h1>zustand</h1>
      <ul>
        {items.map((item, index) => (
          <li key={index}>{item}</li>
        ))}
      </ul>
      <Count />
      <button onClick={() => add("pear")}>Add</button>
    </>
  );
}
