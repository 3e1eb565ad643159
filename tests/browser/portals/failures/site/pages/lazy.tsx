import { lazy, Suspense } from "react";

const Part = lazy(() => import("../components/Part"));

export default function Lazy() {
  return (
    <>
      <h1>Lazy</h1>
      <Suspense fallback={<p>…</p>}>
        <Part />
      </Suspense>
    </>
  );
}
