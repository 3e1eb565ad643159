import { useState } from "react";
import dayjs from "dayjs";
import "dayjs/locale/zh-cn";
import relativeTime from "dayjs/plugin/relativeTime";
import utc from "dayjs/plugin/utc";

dayjs.extend(relativeTime);
dayjs.extend(utc);

const start = dayjs.utc("2024-05-01T08:00:00Z");

export default function Dayjs() {
  const [hours, setHours] = useState(0);
  const time = start.add(hours, "hour");
  return (
    <>
      <h1>Day.js</h1>
      <p data-testid="time">{time.format("YYYY-MM-DD HH:mm")}</p>
      <p data-testid="chinese">{time.locale("zh-cn").format("dddd")}</p>
      <p data-testid="distance">{time.from(start)}</p>
      <button onClick={() => setHours(hours + 20)}>Later</button>
    </>
  );
}
