import { useEffect, useRef } from "react";
import "leaflet/dist/leaflet.css";

export default function Leaflet() {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let remove: (() => void) | undefined;
    let gone = false;
    // Leaflet asks for a browser as soon as it is imported, which a page that is being prerendered has not.
    void import("leaflet").then(({ default: L }) => {
      if (gone || !element.current) return;
      const map = L.map(element.current, { attributionControl: false }).setView([48.4, -4.5], 10);
      L.circleMarker([48.4, -4.5]).addTo(map).bindPopup("Brest");
      remove = () => map.remove();
    });
    return () => {
      gone = true;
      remove?.();
    };
  }, []);
  return (
    <>
      <h1>Leaflet</h1>
      <div ref={element} style={{ height: 300 }} />
    </>
  );
}
