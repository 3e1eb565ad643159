import { useState } from "react";
import { NumericFormat } from "react-number-format";

export default function NumberFormat() {
  const [amount, setAmount] = useState<number | null>(12345.6);
  return (
    <>
      <h1>react-number-format</h1>
      <NumericFormat
        aria-label="Amount"
        value={amount}
        thousandSeparator=","
        suffix=" €"
        onValueChange={({ floatValue }) => setAmount(floatValue ?? null)}
      />
      <output>{amount}</output>
    </>
  );
}
