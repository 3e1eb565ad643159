import { useState } from "react";
import { DndContext, useDraggable, useDroppable } from "@dnd-kit/core";
import { CSS } from "@dnd-kit/utilities";

function Card() {
  const { attributes, listeners, setNodeRef, transform } = useDraggable({ id: "card" });
  return (
    <button ref={setNodeRef} style={{ transform: CSS.Translate.toString(transform) }} {...attributes} {...listeners}>
      Card
    </button>
  );
}

function Pile() {
  const { setNodeRef, isOver } = useDroppable({ id: "pile" });
  return (
    <section ref={setNodeRef} aria-label="Pile" style={{ height: 120, width: 200 }}>
      {isOver ? "over" : "empty"}
    </section>
  );
}

export default function DndKit() {
  const [dropped, setDropped] = useState("nowhere");
  return (
    <DndContext id="board" onDragEnd={({ over }) => setDropped(String(over?.id ?? "nowhere"))}>
      <h1>dnd kit</h1>
      <Card />
      <Pile />
      <output>{dropped}</output>
    </DndContext>
  );
}
