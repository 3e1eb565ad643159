import { useState } from "react";
import DatePicker from "react-datepicker";
import "react-datepicker/dist/react-datepicker.css";

export default function ReactDatepicker() {
  const [day, setDay] = useState<Date | null>(null);
  return (
    <>
      <h1>react-datepicker</h1>
      <DatePicker
        ariaLabelledBy="label"
        selected={day}
        onChange={(day: Date | null) => setDay(day)}
        openToDate={new Date(2024, 1, 1)}
        placeholderText="Day of arrival"
        dateFormat="yyyy-MM-dd"
      />
    </>
  );
}
