import { useState } from "react";

/** What React itself moves into the head. */
export default function Metadata() {
  const [colour, setColour] = useState("#004488");
  return (
    <>
      <meta name="theme-color" content={colour} />
      <link rel="author" href="https://author.example/" />
      <h1>Metadata</h1>
      <button onClick={() => setColour("#882200")}>Red</button>
    </>
  );
}
