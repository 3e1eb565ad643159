import { useState } from "react";
import * as v from "valibot";

const schema = v.object({
  name: v.pipe(v.string(), v.minLength(3, "Too short")),
  mail: v.pipe(v.string(), v.email("Not an address")),
});

export default function Valibot() {
  const [input, setInput] = useState({ name: "Al", mail: "al" });
  const result = v.safeParse(schema, input);
  return (
    <>
      <h1>Valibot</h1>
      <output>
        {result.success ? JSON.stringify(result.output) : result.issues.map(({ message }) => message).join("; ")}
      </output>
      <button onClick={() => setInput({ name: "Ada", mail: "ada@portal.example" })}>Mend</button>
    </>
  );
}
