import "./styles.css";

import type { ReactNode } from "react";
import { product } from "portalgen:portal";
import { Header } from "./components/Header";

/** 每个页面共有的部分。 */
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <>
      <a className="skip-link" href="#main">
        跳到正文
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <footer className="footer">
        <p className="wrap">{product}：由静态文件组成的门户，不运行脚本也能使用。</p>
      </footer>
    </>
  );
}
