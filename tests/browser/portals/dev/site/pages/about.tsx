import { Table } from "../components/Table";

export const LIMITS = { rows: 20 };

export default function About() {
  return (
    <>
      <h1>About</h1>
      <Table />
    </>
  );
}
