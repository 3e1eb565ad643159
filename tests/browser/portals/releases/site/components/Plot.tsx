import { release } from "../release";

export default function Plot() {
  return <p id="plot">{release}</p>;
}
