import { useState } from "react";
import styles from "./style.module.css";
import { util } from "../util";

export default function Style() {
  const [text, setText] = useState("");
  return (
    <>
      <h1 className={styles["title"]}>Style</h1>
      <input aria-label="text" value={text} onChange={(event) => setText(event.target.value)} />
      <p id="util">{util}</p>
    </>
  );
}
