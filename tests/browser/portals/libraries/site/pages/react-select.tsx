import { useState } from "react";
import Select from "react-select";

const options = ["Apple", "Pear", "Quince"].map((label) => ({ label, value: label.toLowerCase() }));

export default function ReactSelect() {
  const [chosen, setChosen] = useState("");
  return (
    <>
      <h1>react-select</h1>
      <Select
        instanceId="fruit"
        aria-label="Fruit"
        placeholder="Choose a fruit"
        options={options}
        onChange={(option) => setChosen(option?.value ?? "")}
      />
      <output>{chosen}</output>
    </>
  );
}
