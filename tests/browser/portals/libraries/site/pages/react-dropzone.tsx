import { useState } from "react";
import { useDropzone } from "react-dropzone";

export default function ReactDropzone() {
  const [names, setNames] = useState("");
  const { getRootProps, getInputProps, fileRejections } = useDropzone({
    accept: { "text/plain": [".txt"] },
    onDrop: (files) => setNames(files.map(({ name }) => name).join(", ")),
  });
  return (
    <>
      <h1>react-dropzone</h1>
      <div {...getRootProps()}>
        <input {...getInputProps()} />
        <p>Drop texts here</p>
      </div>
      <output>{names}</output>
      <p data-testid="rejected">{fileRejections.map(({ file }) => file.name).join(", ")}</p>
    </>
  );
}
