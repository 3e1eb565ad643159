import { useState } from "react";
import { Bar, BarChart, CartesianGrid, Legend, Line, LineChart, Tooltip, XAxis, YAxis } from "recharts";

const tides = [
  { hour: 0, height: 2 },
  { hour: 6, height: 8 },
  { hour: 12, height: 1 },
];

export default function Recharts() {
  const [bars, setBars] = useState(false);
  const Chart = bars ? BarChart : LineChart;
  return (
    <>
      <h1>Recharts</h1>
      <Chart width={400} height={200} data={tides}>
        <CartesianGrid />
        <XAxis dataKey="hour" />
        <YAxis />
        <Tooltip />
        <Legend />
        {bars ? (
          <Bar dataKey="height" isAnimationActive={false} />
        ) : (
          <Line dataKey="height" isAnimationActive={false} />
        )}
      </Chart>
      <button onClick={() => setBars(true)}>Bars</button>
    </>
  );
}
