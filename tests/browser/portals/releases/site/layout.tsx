import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { release } from "./release";

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <>
      <header data-release={release}>
        <Link to="/">Home</Link> <Link to="/about">About</Link> <Link to="/chart">Chart</Link>
      </header>
      <main>{children}</main>
    </>
  );
}
