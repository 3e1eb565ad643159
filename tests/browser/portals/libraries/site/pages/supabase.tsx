import { useState } from "react";
import { createClient } from "@supabase/supabase-js";

/** Stands for a server. */
const server = (input: RequestInfo | URL) =>
  Promise.resolve(Response.json([{ name: String(input).includes("depth=gt.5") ? "Brest" : "Sein" }]));

const supabase = createClient("https://ports.supabase.co", "key", { global: { fetch: server } });

export default function Supabase() {
  const [names, setNames] = useState("");
  const load = async () => {
    const { data } = await supabase.from("ports").select("name").gt("depth", 5);
    setNames((data ?? []).map(({ name }: { name: string }) => name).join(", "));
  };
  return (
    <>
      <h1>Supabase</h1>
      <button onClick={() => void load()}>Load</button>
      <output>{names}</output>
    </>
  );
}
