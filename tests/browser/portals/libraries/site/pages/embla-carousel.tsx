import { useEffect, useState } from "react";
import useEmblaCarousel from "embla-carousel-react";
import styles from "../components/carousel.module.css";

export default function EmblaCarousel() {
  const [viewport, carousel] = useEmblaCarousel({ loop: true, duration: 5 });
  const [index, setIndex] = useState(0);
  useEffect(() => {
    carousel?.on("select", ({ selectedScrollSnap }) => setIndex(selectedScrollSnap()));
  }, [carousel]);
  return (
    <>
      <h1>Embla</h1>
      <div ref={viewport} className={styles["viewport"]}>
        <div className={styles["slides"]}>
          {["One", "Two", "Three"].map((name) => (
            <div key={name} className={styles["slide"]}>
              {name}
            </div>
          ))}
        </div>
      </div>
      <button onClick={() => carousel?.scrollPrev()}>Previous</button>
      <output>{index}</output>
    </>
  );
}
