import { clientOnly } from "portalgen:client-only";

// Leaflet asks for a browser as soon as it is imported, which a page that is being prerendered has not.
const Map = clientOnly<{ place: string }>(() => import("../components/map"), <p>The map is coming</p>);

export default function Leaflet() {
  return (
    <>
      <h1>Leaflet</h1>
      <Map place="Brest" />
    </>
  );
}
