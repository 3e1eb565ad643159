import { useState } from "react";
import axios, { isAxiosError } from "axios";

const api = axios.create({ baseURL: "/data" });

export default function Axios() {
  const [answer, setAnswer] = useState("");
  const load = (name: string) =>
    api
      .get<{ greeting: string }>(name)
      .then(({ data }) => setAnswer(data.greeting))
      .catch((error: unknown) => setAnswer(isAxiosError(error) ? `failed with ${error.response?.status}` : "broken"));
  return (
    <>
      <h1>axios</h1>
      <p data-testid="address">{api.getUri({ url: "/greeting.json", params: { to: ["Ada", "你"] } })}</p>
      <button onClick={() => void load("greeting.json")}>Load</button>
      <button onClick={() => void load("missing.json")}>Miss</button>
      <output>{answer}</output>
    </>
  );
}
