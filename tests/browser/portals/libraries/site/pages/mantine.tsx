import { Button, MantineProvider, Modal, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import "@mantine/core/styles.css";

export default function Mantine() {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <MantineProvider theme={{ primaryColor: "teal" }}>
      <h1>Mantine</h1>
      <TextInput label="Name" />
      <Button onClick={open}>Open</Button>
      <Modal opened={opened} onClose={close} title="Greeting" transitionProps={{ duration: 0 }}>
        Hello
      </Modal>
    </MantineProvider>
  );
}
