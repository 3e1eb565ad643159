import { useEffect, useLayoutEffect } from "react";

export default function Leaving() {
  useEffect(
    () => () => {
      throw new Error("the effect threw when the page was left");
    },
    [],
  );
  useLayoutEffect(
    () => () => {
      throw new Error("the layout effect threw when the page was left");
    },
    [],
  );
  return <h1>Leaving</h1>;
}
