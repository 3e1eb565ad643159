import { useState } from "react";
import Decimal from "decimal.js";

export default function DecimalPage() {
  const [sum, setSum] = useState(new Decimal("0.1"));
  return (
    <>
      <h1>decimal.js</h1>
      <button onClick={() => setSum(sum.plus("0.2"))}>Add</button>
      <output>{sum.toString()}</output>
      <p>{Decimal.sqrt(2).toSignificantDigits(12).toString()}</p>
    </>
  );
}
