import card from "../styles/card.module.css";

export default function Classes() {
  return (
    <main>
      <p className={card["big-card"]}>A card</p>
    </main>
  );
}
