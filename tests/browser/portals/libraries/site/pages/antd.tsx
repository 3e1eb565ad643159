import { useState } from "react";
import { Button, ConfigProvider, Modal, Select, Table } from "antd";

const columns = [
  { title: "Port", dataIndex: "port" },
  { title: "Depth", dataIndex: "depth", sorter: (a: { depth: number }, b: { depth: number }) => a.depth - b.depth },
];
const ports = [
  { key: "brest", port: "Brest", depth: 12 },
  { key: "sein", port: "Sein", depth: 3 },
];

export default function Antd() {
  const [open, setOpen] = useState(false);
  const [fruit, setFruit] = useState("pear");
  return (
    <ConfigProvider theme={{ token: { colorPrimary: "#00695c", motion: false } }}>
      <h1>Ant Design</h1>
      <Button type="primary" onClick={() => setOpen(true)}>
        Open
      </Button>
      <Modal title="Greeting" open={open} onCancel={() => setOpen(false)} footer={null}>
        Hello
      </Modal>
      <Select
        aria-label="Fruit"
        value={fruit}
        onChange={setFruit}
        options={[
          { value: "pear", label: "Pear" },
          { value: "quince", label: "Quince" },
        ]}
      />
      <Table dataSource={ports} columns={columns} pagination={false} />
      <output>{fruit}</output>
    </ConfigProvider>
  );
}
