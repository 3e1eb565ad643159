import { useState } from "react";
import Cookies from "js-cookie";

export default function JsCookie() {
  const [theme, setTheme] = useState("none");
  const keep = () => {
    Cookies.set("theme", "dark & blue", { path: "/", sameSite: "strict" });
    setTheme(Cookies.get("theme") ?? "lost");
  };
  return (
    <>
      <h1>js-cookie</h1>
      <button onClick={keep}>Keep</button>
      <output>{theme}</output>
    </>
  );
}
