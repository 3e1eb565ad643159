import { useState } from "react";
import { Link, useLocation, useNavigate, useSearchParams } from "react-router-dom";

/** Shows what it is told about its address. */
export default function Chapter() {
  const { pathname, search, hash, state } = useLocation();
  const [parameters, setParameters] = useSearchParams();
  const [count, setCount] = useState(0);
  const navigate = useNavigate();
  return (
    <>
      <h1>Chapter</h1>
      <output>{JSON.stringify({ pathname, search, hash, state, q: parameters.get("q") })}</output>
      <Link to="../第二章" relative="path">
        Next
      </Link>
      <Link to="?q=2">Query</Link>
      <Link to="..">Up</Link>
      <button onClick={() => setParameters({ q: "3" })}>Set query</button>
      <button onClick={() => void navigate(-1)}>Back</button>
      <button onClick={() => setCount(count + 1)}>Count {count}</button>
    </>
  );
}
