import { clientOnly } from "portalgen:client-only";

const Part = clientOnly(() => import("../components/Part"), <p id="fallback">The part is loading</p>);

export default function Client() {
  return (
    <>
      <h1>Client</h1>
      <Part />
    </>
  );
}
