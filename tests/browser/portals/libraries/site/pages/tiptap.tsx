import { useState } from "react";
import { EditorContent, useEditor } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";

export default function Tiptap() {
  const [text, setText] = useState("");
  const editor = useEditor({
    extensions: [StarterKit],
    content: "<p>Hello</p>",
    immediatelyRender: false,
    onUpdate: ({ editor }) => setText(editor.getHTML()),
  });
  return (
    <>
      <h1>Tiptap</h1>
      <button onClick={() => editor?.chain().focus().selectAll().toggleBold().run()}>Bold</button>
      <EditorContent editor={editor} />
      <output>{text}</output>
    </>
  );
}
