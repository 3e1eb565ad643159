import { useState } from "react";
import { customAlphabet, nanoid } from "nanoid";
import { NIL, v4, v5, validate } from "uuid";

const digits = customAlphabet("0123456789", 6);

export default function Ids() {
  const [ids, setIds] = useState<string[]>([]);
  return (
    <>
      <h1>nanoid and uuid</h1>
      <p data-testid="named">{v5("portal.example", v5.DNS)}</p>
      <p data-testid="nil">{`${NIL} ${validate(NIL)}`}</p>
      <button onClick={() => setIds([nanoid(), digits(), v4()])}>Make</button>
      <output>{ids.join(" ")}</output>
    </>
  );
}
