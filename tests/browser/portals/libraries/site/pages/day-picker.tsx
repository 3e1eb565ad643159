import { useState } from "react";
import { DayPicker } from "react-day-picker";
import "react-day-picker/style.css";

const today = new Date(2024, 1, 3);

export default function DayPickerPage() {
  const [day, setDay] = useState<Date | undefined>();
  return (
    <>
      <h1>React DayPicker</h1>
      <DayPicker mode="single" defaultMonth={today} today={today} selected={day} onSelect={setDay} timeZone="UTC" />
      <output>{day?.getUTCDate()}</output>
    </>
  );
}
