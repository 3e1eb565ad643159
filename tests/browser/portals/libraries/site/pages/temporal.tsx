import { useState } from "react";
import { Temporal } from "@js-temporal/polyfill";

export default function TemporalPage() {
  const [day, setDay] = useState(() => Temporal.PlainDate.from("2024-02-28"));
  const there = day.toZonedDateTime({ timeZone: "+01:00", plainTime: "12:00" });
  return (
    <>
      <h1>Temporal</h1>
      <p data-testid="day">{day.toString()}</p>
      <p data-testid="there">{there.toString()}</p>
      <button onClick={() => setDay(day.add({ days: 1 }))}>Next day</button>
    </>
  );
}
