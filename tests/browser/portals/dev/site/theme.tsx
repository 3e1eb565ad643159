import { createContext, type ReactNode, useContext } from "react";
import { colors } from "./colors";

export const ThemeContext = createContext("no theme");

export function ThemeProvider({ children }: { children: ReactNode }) {
  return <ThemeContext value={`theme of ${colors.main}`}>{children}</ThemeContext>;
}

export function useTheme(): string {
  return useContext(ThemeContext);
}
