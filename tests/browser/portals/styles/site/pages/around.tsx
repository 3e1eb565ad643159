import "../styles/under.css";
import "../shared";
import "../styles/over.css";
import { Probes } from "../probes";

export default function Around() {
  return <Probes names={["under-shared", "shared-over", "under-over"]} />;
}
