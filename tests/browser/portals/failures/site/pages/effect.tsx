import { useEffect } from "react";

export default function Effect() {
  useEffect(() => {
    throw new Error("the effect threw");
  }, []);
  return <h1>Effect</h1>;
}
