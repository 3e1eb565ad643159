import { useState } from "react";
import { Command } from "cmdk";

const commands = ["Open chart", "Close chart", "Print"];

export default function Cmdk() {
  const [run, setRun] = useState("");
  return (
    <>
      <h1>cmdk</h1>
      <Command label="Commands">
        <Command.Input aria-label="Command" />
        <Command.List>
          <Command.Empty>Nothing found</Command.Empty>
          {commands.map((name) => (
            <Command.Item key={name} onSelect={() => setRun(name)}>
              {name}
            </Command.Item>
          ))}
        </Command.List>
      </Command>
      <output>{run}</output>
    </>
  );
}
