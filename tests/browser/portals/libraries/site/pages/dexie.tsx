import { useState } from "react";
import Dexie, { type EntityTable } from "dexie";

const ports = new Dexie("ports") as Dexie & { ports: EntityTable<{ id: number; name: string; depth: number }, "id"> };
ports.version(1).stores({ ports: "++id, depth" });

export default function DexiePage() {
  const [names, setNames] = useState("");
  const fill = async () => {
    await ports.ports.clear();
    await ports.ports.bulkAdd([
      { name: "Brest", depth: 12 },
      { name: "Sein", depth: 3 },
      { name: "Lorient", depth: 8 },
    ]);
    const deep = await ports.ports.where("depth").above(5).reverse().sortBy("depth");
    setNames(deep.map(({ name }) => name).join(", "));
  };
  return (
    <>
      <h1>Dexie</h1>
      <button onClick={() => void fill()}>Fill</button>
      <output>{names}</output>
    </>
  );
}
