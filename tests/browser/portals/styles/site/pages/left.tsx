import "../styles/left.css";
import { Probes } from "../probes";

export default function Left() {
  return <Probes names={["left-right"]} />;
}
