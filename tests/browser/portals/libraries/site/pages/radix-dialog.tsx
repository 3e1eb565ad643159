import { useState } from "react";
import * as Dialog from "@radix-ui/react-dialog";

export default function RadixDialog() {
  const [name, setName] = useState("nobody");
  return (
    <>
      <h1>Radix UI</h1>
      <Dialog.Root>
        <Dialog.Trigger>Edit</Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Overlay />
          <Dialog.Content>
            <Dialog.Title>Edit the name</Dialog.Title>
            <Dialog.Description>It is shown to others.</Dialog.Description>
            <input aria-label="Name" onChange={(event) => setName(event.target.value)} />
            <Dialog.Close>Done</Dialog.Close>
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
      <output>{name}</output>
    </>
  );
}
