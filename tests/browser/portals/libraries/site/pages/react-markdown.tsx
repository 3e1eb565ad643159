import { useState } from "react";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";

const start = `
## Tides

*High* water at **noon**, see [the table](../react-table/).

| Port  | Hour |
| ----- | ---- |
| Brest | 12   |
`;

export default function ReactMarkdown() {
  const [text, setText] = useState(start);
  return (
    <>
      <h1>react-markdown</h1>
      <article>
        <Markdown remarkPlugins={[remarkGfm]}>{text}</Markdown>
      </article>
      <textarea aria-label="Markdown" value={text} onChange={(event) => setText(event.target.value)} />
    </>
  );
}
