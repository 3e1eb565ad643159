import { useState } from "react";
import { Listbox, ListboxButton, ListboxOption, ListboxOptions, Switch } from "@headlessui/react";

const ports = ["Brest", "Lorient", "Concarneau"];

export default function HeadlessUi() {
  const [port, setPort] = useState("Brest");
  const [on, setOn] = useState(false);
  return (
    <>
      <h1>Headless UI</h1>
      <Listbox value={port} onChange={setPort}>
        <ListboxButton>{port}</ListboxButton>
        <ListboxOptions anchor="bottom">
          {ports.map((name) => (
            <ListboxOption key={name} value={name}>
              {name}
            </ListboxOption>
          ))}
        </ListboxOptions>
      </Listbox>
      <Switch checked={on} onChange={setOn} aria-label="Tides">
        {on ? "on" : "off"}
      </Switch>
    </>
  );
}
