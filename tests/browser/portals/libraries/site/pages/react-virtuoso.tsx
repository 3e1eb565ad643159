import { useRef } from "react";
import { Virtuoso, type VirtuosoHandle } from "react-virtuoso";

export default function ReactVirtuoso() {
  const list = useRef<VirtuosoHandle>(null);
  return (
    <>
      <h1>react-virtuoso</h1>
      <Virtuoso
        ref={list}
        style={{ height: 200 }}
        totalCount={10_000}
        initialItemCount={3}
        itemContent={(index) => <div>Row {index}</div>}
      />
      <button onClick={() => list.current?.scrollToIndex(9_000)}>Far</button>
    </>
  );
}
