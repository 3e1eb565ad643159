import { Link, useNavigate } from "react-router-dom";

/** What the buttons navigate by. */
const calls = {
  "sign in": ["/login?next=%2Fpay&client=evil#step"],
  "sign in, replacing": ["/login", { replace: true }],
  "old address": ["/old?a=1#b"],
  nowhere: ["/nowhere?a=1"],
  "with state": ["/v1.0?q=%E4%BD%A0#h", { state: { from: "start" } }],
  replacing: ["/v1.0", { replace: true }],
} as const;

export default function Start() {
  const navigate = useNavigate();
  return (
    <>
      <h1>Start</h1>
      {Object.entries(calls).map(([name, [to, options]]) => (
        <button key={name} onClick={() => void navigate(to, options)}>
          {name}
        </button>
      ))}
      <Link to="指南/第一章">Chapter one</Link>
      <Link to="/%E6%8C%87%E5%8D%97/%E7%AC%AC%E4%BA%8C%E7%AB%A0">Chapter two</Link>
      <Link to="v1.0">Version</Link>
      <Link to="/nowhere">Nowhere</Link>
      <Link to="/login?from=start">Sign in</Link>
    </>
  );
}
