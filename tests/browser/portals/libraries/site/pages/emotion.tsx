/** @jsxImportSource @emotion/react */
import { useState } from "react";
import { css, Global, keyframes } from "@emotion/react";
import styled from "@emotion/styled";

const appear = keyframes({ from: { opacity: 0 }, to: { opacity: 1 } });

const Card = styled.section<{ wide: boolean }>`
  width: ${({ wide }) => (wide ? 320 : 160)}px;
  animation: ${appear} 10ms;
`;

export default function Emotion() {
  const [wide, setWide] = useState(false);
  return (
    <>
      <Global styles={{ body: { margin: 0 } }} />
      <h1 css={css({ color: "rgb(0, 0, 128)" })}>Emotion</h1>
      <Card data-testid="card" wide={wide}>
        Card
      </Card>
      <button onClick={() => setWide(!wide)}>Widen</button>
    </>
  );
}
