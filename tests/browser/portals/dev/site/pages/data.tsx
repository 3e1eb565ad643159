import { word } from "#words";
import { useEffect, useState } from "react";
import numbers from "../data/numbers.json";

export default function Data() {
  const [later, setLater] = useState("");
  useEffect(() => {
    void import("../data/later.json").then((module) => setLater(module.default.text));
  }, []);
  return (
    <>
      <h1>Data</h1>
      <p id="number">{numbers.first}</p>
      <p id="later">{later}</p>
      <p id="word">{word}</p>
    </>
  );
}
