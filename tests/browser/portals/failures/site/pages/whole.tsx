import { lazy, Suspense } from "react";
import Shared from "../components/Shared";
import "./whole.css";

const Part = lazy(() => import("../components/Part"));

/** Has a file of every kind. */
export default function Whole() {
  return (
    <>
      <h1>Whole</h1>
      <Shared>Words of the page</Shared>
      <Suspense fallback={<p>…</p>}>
        <Part />
      </Suspense>
    </>
  );
}
