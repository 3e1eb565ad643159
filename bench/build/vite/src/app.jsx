import { Suspense, lazy } from "react";
import { useLocation } from "react-router-dom";

import Layout from "./layout.jsx";

/** The pages by their files; each is a chunk that is loaded when it is visited. */
const pages = import.meta.glob("./pages/**/*.jsx");
const components = new Map();

function componentOf(address) {
  const load = pages[`./pages${address === "/" ? "/index" : address}.jsx`];
  if (load && !components.has(address)) components.set(address, lazy(load));
  return components.get(address);
}

export default function App() {
  const address = useLocation().pathname.replace(/(.)\/$/, "$1");
  const Page = componentOf(address);
  return (
    <Layout>
      <Suspense>{Page ? <Page /> : <h1>Not found</h1>}</Suspense>
    </Layout>
  );
}
