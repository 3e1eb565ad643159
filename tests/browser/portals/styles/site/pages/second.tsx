import "../shared";
import "../styles/second.css";
import { Probes } from "../probes";

export default function Second() {
  return <Probes names={["base-first", "base-shared", "base-second", "first-shared", "shared-second"]} />;
}
