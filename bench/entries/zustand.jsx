import { create } from "zustand";

const useCount = create((set) => ({
  count: 0,
  increase: () => set((state) => ({ count: state.count + 1 })),
}));

export function Counter() {
  const { count, increase } = useCount();
  return <button onClick={increase}>{count}</button>;
}
