import { useState } from "react";
import { ArcElement, Chart, Tooltip } from "chart.js";
import { Doughnut } from "react-chartjs-2";

Chart.register(ArcElement, Tooltip);

export default function Chartjs() {
  const [clicked, setClicked] = useState("");
  const labels = ["Sail", "Motor"];
  return (
    <>
      <h1>Chart.js</h1>
      <div style={{ width: 200, height: 200 }}>
        <Doughnut
          data={{ labels, datasets: [{ data: [9, 1], backgroundColor: ["#004488", "#882200"] }] }}
          options={{ animation: false, onClick: (_, [part]) => setClicked(labels[part?.index ?? -1] ?? "nothing") }}
          aria-label="Nine of ten boats sail"
          fallbackContent={<p>Nine of ten boats sail</p>}
        />
      </div>
      <output>{clicked}</output>
    </>
  );
}
