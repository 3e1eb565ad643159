import { Camera, House, Search } from "lucide-react";

export function Icons() {
  return (
    <>
      <Camera size={16} />
      <House color="red" />
      <Search aria-label="Search" />
    </>
  );
}
