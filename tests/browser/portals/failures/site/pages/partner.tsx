import Shared from "../components/Shared";

export default function Partner() {
  return (
    <>
      <h1>Partner</h1>
      <Shared>Words of the other page</Shared>
    </>
  );
}
