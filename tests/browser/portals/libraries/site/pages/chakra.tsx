import { Button, ChakraProvider, defaultSystem, Dialog, Portal } from "@chakra-ui/react";

export default function Chakra() {
  return (
    <ChakraProvider value={defaultSystem}>
      <h1>Chakra UI</h1>
      <Dialog.Root>
        <Dialog.Trigger asChild>
          <Button colorPalette="teal">Open</Button>
        </Dialog.Trigger>
        <Portal>
          <Dialog.Backdrop />
          <Dialog.Positioner>
            <Dialog.Content>
              <Dialog.Title>Greeting</Dialog.Title>
              <Dialog.Body>Hello</Dialog.Body>
              <Dialog.CloseTrigger>Close</Dialog.CloseTrigger>
            </Dialog.Content>
          </Dialog.Positioner>
        </Portal>
      </Dialog.Root>
    </ChakraProvider>
  );
}
