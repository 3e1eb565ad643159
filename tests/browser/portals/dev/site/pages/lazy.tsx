import { lazy, Suspense, useState } from "react";

const Cards = lazy(() => import("../components/Cards"));

export default function Lazy() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <h1>Lazy</h1>
      <button id="open" onClick={() => setOpen(!isOpen)}>
        Open
      </button>
      <Suspense fallback={<p id="fallback">Loading</p>}>{isOpen && <Cards />}</Suspense>
    </>
  );
}
