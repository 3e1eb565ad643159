import { useState } from "react";
import { LexicalComposer } from "@lexical/react/LexicalComposer";
import { ContentEditable } from "@lexical/react/LexicalContentEditable";
import { LexicalErrorBoundary } from "@lexical/react/LexicalErrorBoundary";
import { HistoryPlugin } from "@lexical/react/LexicalHistoryPlugin";
import { OnChangePlugin } from "@lexical/react/LexicalOnChangePlugin";
import { RichTextPlugin } from "@lexical/react/LexicalRichTextPlugin";
import { $getRoot } from "lexical";

const config = {
  namespace: "letter",
  onError: (error: Error) => {
    throw error;
  },
};

export default function Lexical() {
  const [text, setText] = useState("");
  return (
    <>
      <h1>Lexical</h1>
      <LexicalComposer initialConfig={config}>
        <RichTextPlugin
          contentEditable={<ContentEditable aria-label="Letter" />}
          placeholder={<p>Write here</p>}
          ErrorBoundary={LexicalErrorBoundary}
        />
        <HistoryPlugin />
        <OnChangePlugin onChange={(state) => setText(state.read(() => $getRoot().getTextContent()))} />
      </LexicalComposer>
      <output>{text}</output>
    </>
  );
}
