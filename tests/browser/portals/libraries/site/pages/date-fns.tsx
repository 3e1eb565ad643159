import { useState } from "react";
import { addDays, differenceInCalendarDays, format, formatDistanceStrict, parseISO } from "date-fns";
import { zhCN } from "date-fns/locale";

const launch = parseISO("2024-02-28T12:00:00");

export default function DateFns() {
  const [days, setDays] = useState(0);
  const date = addDays(launch, days);
  return (
    <>
      <h1>date-fns</h1>
      <p data-testid="date">{format(date, "EEEE, d MMMM yyyy")}</p>
      <p data-testid="chinese">{format(date, "PPPP", { locale: zhCN })}</p>
      <p data-testid="distance">{formatDistanceStrict(date, launch, { addSuffix: true })}</p>
      <p data-testid="days">{differenceInCalendarDays(date, launch)}</p>
      <button onClick={() => setDays(days + 1)}>Next day</button>
    </>
  );
}
