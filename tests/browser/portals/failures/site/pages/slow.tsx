import { Suspense, use } from "react";
import { useLocation } from "react-router-dom";

const never = new Promise<string>(() => {});

/** Is there in the prerendered page, and waits for ever in browsers. */
function Slow() {
  return <p id="slow">{typeof window === "undefined" ? "slow" : use(never)}</p>;
}

export default function Page() {
  const { search } = useLocation();
  return (
    <>
      <h1>Slow</h1>
      <p id="search">{search}</p>
      <Suspense fallback={<p id="fallback">…</p>}>
        <Slow />
      </Suspense>
    </>
  );
}
