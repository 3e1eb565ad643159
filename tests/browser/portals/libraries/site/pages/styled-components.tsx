import { useState } from "react";
import styled, { createGlobalStyle, ThemeProvider } from "styled-components";

declare module "styled-components" {
  interface DefaultTheme {
    accent: string;
  }
}

const Page = createGlobalStyle`
  body { background-color: rgb(250, 250, 240); }
`;

const Button = styled.button<{ $active: boolean }>`
  color: ${({ $active, theme }) => ($active ? theme.accent : "rgb(0, 0, 0)")};
  padding: 8px;
`;

const Large = styled(Button).attrs({ type: "button" })`
  padding: 16px;
`;

export default function StyledComponents() {
  const [active, setActive] = useState(false);
  return (
    <ThemeProvider theme={{ accent: "rgb(200, 0, 0)" }}>
      <Page />
      <h1>styled-components</h1>
      <Large $active={active} onClick={() => setActive(!active)}>
        {active ? "On" : "Off"}
      </Large>
    </ThemeProvider>
  );
}
