import { useInView } from "react-intersection-observer";

export default function ReactIntersectionObserver() {
  const { ref, inView } = useInView({ threshold: 0.5 });
  return (
    <>
      <h1>react-intersection-observer</h1>
      <output style={{ position: "fixed", top: 0, right: 0 }}>{inView ? "seen" : "not seen"}</output>
      <div style={{ height: 3000 }} />
      <footer ref={ref}>The end</footer>
    </>
  );
}
