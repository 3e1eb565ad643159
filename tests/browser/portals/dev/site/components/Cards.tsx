import { format } from "../format";
import styles from "./cards.module.css";
import { Counter } from "./Counter";

export default function Cards() {
  return (
    <div id="cards" className={styles["cards"]}>
      <span>{format("cards")}</span> <Counter id="in-cards" />
    </div>
  );
}
