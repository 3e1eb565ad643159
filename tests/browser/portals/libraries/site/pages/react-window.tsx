import { List, useListRef, type RowComponentProps } from "react-window";

const Row = ({ index, style }: RowComponentProps) => <div style={style}>Row {index}</div>;

export default function ReactWindow() {
  const list = useListRef(null);
  return (
    <>
      <h1>react-window</h1>
      <List
        listRef={list}
        rowComponent={Row}
        rowCount={1000}
        rowHeight={20}
        rowProps={{}}
        defaultHeight={100}
        style={{ height: 100 }}
      />
      <button onClick={() => list.current?.scrollToRow({ index: 900 })}>Far</button>
    </>
  );
}
