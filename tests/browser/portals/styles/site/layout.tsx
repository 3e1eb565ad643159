import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import "./styles/base.css";

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <>
      <nav>
        <Link to="/">First</Link> <Link to="/second">Second</Link>
      </nav>
      {children}
    </>
  );
}
