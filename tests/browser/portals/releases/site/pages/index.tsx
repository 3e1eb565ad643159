import { release } from "../release";

export default function Home() {
  return <h1 title={release}>Home</h1>;
}
