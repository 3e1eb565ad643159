import "../styles/left.css";
import "../styles/right.css";
import { Probes } from "../probes";

export default function Both() {
  return <Probes names={["left-right"]} />;
}
