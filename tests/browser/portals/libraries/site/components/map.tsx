import L from "leaflet";
import "leaflet/dist/leaflet.css";
import { useEffect, useRef } from "react";

export default function Map({ place }: { place: string }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!element.current) return;
    const map = L.map(element.current, { attributionControl: false }).setView([48.4, -4.5], 10);
    L.circleMarker([48.4, -4.5]).addTo(map).bindPopup(place);
    return () => void map.remove();
  }, [place]);
  return <div ref={element} style={{ height: 300 }} />;
}
