import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import "./styles/base.css";

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <>
      <nav>
        <Link to="/">First</Link> <Link to="/second">Second</Link> <Link to="/around">Around</Link>
        <Link to="/left">Left</Link> <Link to="/right">Right</Link> <Link to="/both">Both</Link>
      </nav>
      {children}
    </>
  );
}
