import { release } from "../release";
import "./about.css";

export default function About() {
  return (
    <>
      <h1>About</h1>
      <p id="release">{release}</p>
    </>
  );
}
