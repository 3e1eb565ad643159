import { useState } from "react";
import { Group, Panel, Separator } from "react-resizable-panels";

export default function ResizablePanels() {
  const [left, setLeft] = useState(0);
  return (
    <>
      <h1>react-resizable-panels</h1>
      <Group orientation="horizontal" onLayoutChange={(layout) => setLeft(Math.round(layout["left"] ?? 0))}>
        <Panel id="left" defaultSize="50%">
          Left
        </Panel>
        <Separator />
        <Panel id="right" defaultSize="50%">
          Right
        </Panel>
      </Group>
      <output>{left}</output>
    </>
  );
}
