import { useState } from "react";
import qs from "qs";

export default function Qs() {
  const [text, setText] = useState("a[b]=1&a[c][]=2&name=%E4%BD%A0");
  return (
    <>
      <h1>qs</h1>
      <input aria-label="Query" value={text} onChange={(event) => setText(event.target.value)} />
      <p data-testid="parsed">{JSON.stringify(qs.parse(text))}</p>
      <p data-testid="written">{qs.stringify(qs.parse(text), { encodeValuesOnly: true })}</p>
    </>
  );
}
