import "./styles.css";

import type { ReactNode } from "react";
import { product } from "portalgen:portal";
import { Header } from "./components/Header";

/** What surrounds every page. */
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the text
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <footer className="footer">
        <p className="wrap">{product}: a portal made of plain files, which works without scripts, too.</p>
      </footer>
    </>
  );
}
