import { toast, Toaster } from "sonner";

export default function Sonner() {
  return (
    <>
      <h1>sonner</h1>
      <button onClick={() => toast("Sent", { description: "It is on its way" })}>Send</button>
      <Toaster />
    </>
  );
}
