import "../styles/first.css";
import "../shared";
import { Probes } from "../probes";

export default function First() {
  return <Probes names={["base-first", "base-shared", "base-second", "first-shared", "shared-second"]} />;
}
