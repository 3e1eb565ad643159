import { release } from "../release";

export default function NotFound() {
  return <h1 title={release}>Not found</h1>;
}
