import { useRef } from "react";
import { useVirtualizer } from "@tanstack/react-virtual";

export default function TanstackVirtual() {
  const viewport = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: 1000,
    getScrollElement: () => viewport.current,
    estimateSize: () => 20,
    initialRect: { width: 200, height: 100 },
  });
  return (
    <>
      <h1>TanStack Virtual</h1>
      <div ref={viewport} style={{ height: 100, overflow: "auto" }}>
        <div style={{ height: rows.getTotalSize(), position: "relative" }}>
          {rows.getVirtualItems().map(({ key, index, start }) => (
            <div key={key} style={{ position: "absolute", top: start }}>
              Row {index}
            </div>
          ))}
        </div>
      </div>
      <button onClick={() => rows.scrollToIndex(900)}>Far</button>
    </>
  );
}
