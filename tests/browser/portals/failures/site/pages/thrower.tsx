import { clientOnly } from "portalgen:client-only";

const Thrower = clientOnly(() => import("../components/Thrower"), <p id="fallback">The part is loading</p>);

export default function Page() {
  return (
    <>
      <h1>Thrower</h1>
      <Thrower />
    </>
  );
}
