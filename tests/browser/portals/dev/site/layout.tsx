import "./styles.css";

import type { ReactNode } from "react";
import { Header } from "./components/Header";
import { ThemeProvider } from "./theme";

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <ThemeProvider>
      <Header />
      <main>{children}</main>
    </ThemeProvider>
  );
}
