import { useTheme } from "../theme";

export default function Theme() {
  return (
    <>
      <h1>Theme</h1>
      <p id="theme">{useTheme()}</p>
    </>
  );
}
