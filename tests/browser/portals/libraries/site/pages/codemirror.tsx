import { useState } from "react";
import { javascript } from "@codemirror/lang-javascript";
import CodeMirror from "@uiw/react-codemirror";

const extensions = [javascript()];

export default function Codemirror() {
  const [text, setText] = useState("let tide = 1;");
  return (
    <>
      <h1>CodeMirror</h1>
      <CodeMirror value={text} height="80px" extensions={extensions} onChange={setText} />
      <output>{text.length}</output>
    </>
  );
}
