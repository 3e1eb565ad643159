// Where the panel begins.
import { createRoot } from "react-dom/client";
import { App } from "portalgen:panel/app";

const place = document.getElementById("panel");
if (place) createRoot(place).render(<App />);
