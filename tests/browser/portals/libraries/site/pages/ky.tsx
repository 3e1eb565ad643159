import { useState } from "react";
import ky from "ky";

export default function Ky() {
  const [answer, setAnswer] = useState("");
  const load = async () => {
    const { greeting } = await ky.get("/data/greeting.json", { retry: 0, timeout: 5000 }).json<{ greeting: string }>();
    setAnswer(greeting);
  };
  return (
    <>
      <h1>Ky</h1>
      <button onClick={() => void load()}>Load</button>
      <output>{answer}</output>
    </>
  );
}
