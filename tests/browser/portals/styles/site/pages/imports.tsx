// The sources of the sheets are public files as well, so that the browser can be asked what they mean by themselves.
import "../public/raw/main.css";
import { Probes } from "../probes";

const sheets = ["main", "base", "a", "b", "c", "d", "e", "f", "print"];
const pairs = sheets.flatMap((first, index) => sheets.slice(index + 1).map((second) => `${first}-${second}`));

export default function Imports() {
  return <Probes names={pairs} />;
}
