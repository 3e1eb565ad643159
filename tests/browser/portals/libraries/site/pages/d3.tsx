import { useState } from "react";
import { extent, format, line, scaleLinear } from "d3";

const weeks = [
  [1, 5, 2, 8],
  [3, 3, 9, 0],
];

export default function D3() {
  const [week, setWeek] = useState(0);
  const heights = weeks[week] ?? [];
  const x = scaleLinear([0, 3], [0, 90]);
  const y = scaleLinear(extent(heights) as [number, number], [60, 0]);
  const curve = line<number>(
    (_, index) => x(index),
    (height) => y(height),
  );
  return (
    <>
      <h1>D3</h1>
      <svg width="90" height="60">
        <path d={curve(heights) ?? ""} fill="none" stroke="teal" />
      </svg>
      <p>{format(",.2f")(1234.5)}</p>
      <button onClick={() => setWeek(1)}>Next</button>
    </>
  );
}
