import { useState } from "react";
import { Button, Dialog, DialogTrigger, Heading, ListBox, ListBoxItem, Popover } from "react-aria-components";

export default function ReactAria() {
  const [fruit, setFruit] = useState("");
  return (
    <>
      <h1>React Aria</h1>
      <DialogTrigger>
        <Button>Open</Button>
        <Popover>
          <Dialog>
            <Heading slot="title">Greeting</Heading>
          </Dialog>
        </Popover>
      </DialogTrigger>
      <ListBox aria-label="Fruits" selectionMode="single" onSelectionChange={(keys) => setFruit([...keys].join(" "))}>
        <ListBoxItem id="pear">Pear</ListBoxItem>
        <ListBoxItem id="quince">Quince</ListBoxItem>
      </ListBox>
      <output>{fruit}</output>
    </>
  );
}
