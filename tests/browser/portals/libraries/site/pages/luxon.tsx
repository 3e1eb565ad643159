import { useState } from "react";
import { DateTime, Duration } from "luxon";

export default function Luxon() {
  const [time, setTime] = useState(() => DateTime.fromISO("2024-02-28T12:00:00", { zone: "utc", locale: "en" }));
  return (
    <>
      <h1>Luxon</h1>
      <p data-testid="day">{time.toFormat("cccc, d LLLL yyyy")}</p>
      <p data-testid="chinese">{time.setLocale("zh").toFormat("cccc")}</p>
      <p data-testid="there">{time.setZone("UTC+8").toFormat("HH:mm ZZ")}</p>
      <p>{Duration.fromMillis(90000).toFormat("mm:ss")}</p>
      <button onClick={() => setTime(time.plus({ days: 1 }))}>Next day</button>
    </>
  );
}
