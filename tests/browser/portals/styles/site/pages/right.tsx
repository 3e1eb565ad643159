import "../styles/right.css";
import { Probes } from "../probes";

export default function Right() {
  return <Probes names={["left-right"]} />;
}
