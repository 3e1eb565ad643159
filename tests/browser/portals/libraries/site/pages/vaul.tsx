import { Drawer } from "vaul";

export default function Vaul() {
  return (
    <>
      <h1>Vaul</h1>
      <Drawer.Root>
        <Drawer.Trigger>Open</Drawer.Trigger>
        <Drawer.Portal>
          <Drawer.Overlay />
          <Drawer.Content>
            <Drawer.Title>Drawer</Drawer.Title>
            <Drawer.Description>From below</Drawer.Description>
            <Drawer.Close>Close</Drawer.Close>
          </Drawer.Content>
        </Drawer.Portal>
      </Drawer.Root>
    </>
  );
}
