import { useState } from "react";
import katex from "katex";
import "katex/dist/katex.min.css";

export default function Katex() {
  const [formula, setFormula] = useState("\\frac{a}{b}");
  return (
    <>
      <h1>KaTeX</h1>
      <p data-testid="formula" dangerouslySetInnerHTML={{ __html: katex.renderToString(formula) }} />
      <button onClick={() => setFormula("\\sqrt{2}")}>Root</button>
    </>
  );
}
