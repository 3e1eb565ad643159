import { type ReactNode, useState } from "react";
import { Link } from "react-router-dom";

/** Puts other elements around the page in browsers, as a layout must not. */
function Around({ children }: { children: ReactNode }) {
  const isOther = typeof window !== "undefined" && window.location.search === "?around";
  return isOther ? <section>{children}</section> : children;
}

export default function Layout({ children }: { children: ReactNode }) {
  const [count, setCount] = useState(0);
  const [isBroken, setBroken] = useState(false);
  if (isBroken) throw new Error("the layout threw");
  return (
    <>
      <header>
        <nav>
          <Link to="/">Home</Link> <Link to="/render">Render</Link> <Link to="/text">Text</Link>{" "}
          <Link to="/state">State</Link> <Link to="/lazy">Lazy</Link>{" "}
          <Link to="/leaving/too">Leaving</Link> <Link to="/whole">Whole</Link>
        </nav>
        <button id="count" onClick={() => setCount(count + 1)}>
          {count}
        </button>
        <button id="break" onClick={() => setBroken(true)}>
          Break
        </button>
      </header>
      <main>
        before
        <Around>{children}</Around>
        <p id="after">after</p>
      </main>
    </>
  );
}
