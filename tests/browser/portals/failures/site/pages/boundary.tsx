import { Component, type ReactNode } from "react";

class Own extends Component<{ children: ReactNode }> {
  override state = { hasFailed: false };
  static getDerivedStateFromError() {
    return { hasFailed: true };
  }
  override render() {
    return this.state.hasFailed ? <p id="own">The site's own fallback</p> : this.props.children;
  }
}

function Bomb() {
  if (typeof window !== "undefined") throw new Error("the part threw");
  return <p>part</p>;
}

export default function Boundary() {
  return (
    <>
      <h1>Boundary</h1>
      <Own>
        <Bomb />
      </Own>
    </>
  );
}
