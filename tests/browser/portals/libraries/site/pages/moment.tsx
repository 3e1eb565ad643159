import { useState } from "react";
import moment from "moment";
import "moment/locale/zh-cn";

export default function Moment() {
  const [day, setDay] = useState(() => moment.utc("2024-02-28").locale("en"));
  return (
    <>
      <h1>Moment.js</h1>
      <p data-testid="day">{day.format("dddd, LL")}</p>
      <p data-testid="chinese">{day.clone().locale("zh-cn").format("LL dddd")}</p>
      <button onClick={() => setDay(day.clone().add(1, "day"))}>Next day</button>
    </>
  );
}
