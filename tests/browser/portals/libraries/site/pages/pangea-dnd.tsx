import { useState } from "react";
import { DragDropContext, Draggable, Droppable } from "@hello-pangea/dnd";

export default function PangeaDnd() {
  const [cards, setCards] = useState(["One", "Two", "Three"]);
  const move = (from: number, to: number | undefined) => {
    if (to === undefined) return;
    const rest = cards.filter((_, index) => index !== from);
    setCards([...rest.slice(0, to), ...cards.slice(from, from + 1), ...rest.slice(to)]);
  };
  return (
    <>
      <h1>Pangea DnD</h1>
      <DragDropContext onDragEnd={({ source, destination }) => move(source.index, destination?.index)}>
        <Droppable droppableId="cards">
          {({ innerRef, droppableProps, placeholder }) => (
            <div ref={innerRef} {...droppableProps}>
              {cards.map((card, index) => (
                <Draggable key={card} draggableId={card} index={index}>
                  {({ innerRef, draggableProps, dragHandleProps }) => (
                    <div ref={innerRef} {...draggableProps} {...dragHandleProps}>
                      {card}
                    </div>
                  )}
                </Draggable>
              ))}
              {placeholder}
            </div>
          )}
        </Droppable>
      </DragDropContext>
      <output>{cards.join(" ")}</output>
    </>
  );
}
