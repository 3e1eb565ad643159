import "./styles.css";

import type { ReactNode } from "react";
import { product } from "portalgen:portal";
import { Header } from "./components/Header";

/** The layout around every page. */
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <footer className="footer">
        <p className="wrap">{product}: a portal of static files that also works without scripts.</p>
      </footer>
    </>
  );
}
