import { lazy, Suspense, useState } from "react";

const Plot = lazy(() => import("../components/Plot"));

export default function Chart() {
  const [isOpen, open] = useState(false);
  return (
    <>
      <h1>Chart</h1>
      <button onClick={() => open(true)}>Open</button>
      <Suspense>{isOpen && <Plot />}</Suspense>
    </>
  );
}
