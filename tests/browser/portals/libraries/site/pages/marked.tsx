import { useState } from "react";
import hljs from "highlight.js/lib/core";
import javascript from "highlight.js/lib/languages/javascript";
import "highlight.js/styles/github.css";
import { Marked } from "marked";

hljs.registerLanguage("javascript", javascript);

const marked = new Marked({
  renderer: {
    code: ({ text }) => `<pre><code>${hljs.highlight(text, { language: "javascript" }).value}</code></pre>`,
  },
});

const steps = ["Count with `let`:\n\n```js\nlet n = 1; // one\n```", "> Done"];

export default function MarkedPage() {
  const [step, setStep] = useState(0);
  return (
    <>
      <h1>marked and highlight.js</h1>
      <article dangerouslySetInnerHTML={{ __html: marked.parse(steps[step] ?? "", { async: false }) }} />
      <button onClick={() => setStep(1)}>Next</button>
    </>
  );
}
