import { useState } from "react";
import DOMPurify from "dompurify";

const foreign = '<b>Safe</b><img src="data:," onerror="console.error(1)"><a href="javascript:console.error(2)">link</a>';

export default function Dompurify() {
  const [html, setHtml] = useState("<em>Nothing yet</em>");
  return (
    <>
      <h1>DOMPurify</h1>
      <div data-testid="result" dangerouslySetInnerHTML={{ __html: html }} />
      <button onClick={() => setHtml(DOMPurify.sanitize(foreign))}>Show</button>
    </>
  );
}
