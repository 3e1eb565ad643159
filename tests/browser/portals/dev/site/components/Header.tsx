import { Link } from "react-router-dom";
import { Counter } from "./Counter";

export function Header() {
  return (
    <header>
      <b>Header</b> <Counter id="header" /> <Link to="/">Home</Link> <Link to="/about">About</Link>{" "}
      <Link to="/lazy">Lazy</Link> <Link to="/play">Play</Link>
    </header>
  );
}
