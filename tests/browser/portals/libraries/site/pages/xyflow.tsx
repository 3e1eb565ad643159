import { Background, Controls, ReactFlow } from "@xyflow/react";
import "@xyflow/react/dist/style.css";

const nodes = [
  { id: "1", position: { x: 0, y: 0 }, data: { label: "Source" }, width: 100, height: 30 },
  { id: "2", position: { x: 0, y: 90 }, data: { label: "Sink" }, width: 100, height: 30 },
];

export default function Xyflow() {
  return (
    <>
      <h1>React Flow</h1>
      <div style={{ height: 300 }}>
        <ReactFlow
          width={600}
          height={300}
          fitView
          defaultNodes={nodes}
          defaultEdges={[{ id: "1-2", source: "1", target: "2" }]}
        >
          <Background />
          <Controls />
        </ReactFlow>
      </div>
    </>
  );
}
