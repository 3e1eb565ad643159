import toast, { Toaster } from "react-hot-toast";

export default function ReactHotToast() {
  return (
    <>
      <h1>react-hot-toast</h1>
      <button onClick={() => toast.success("Saved")}>Save</button>
      <Toaster position="bottom-center" />
    </>
  );
}
