export default function Render() {
  if (typeof window !== "undefined") throw new Error("the page threw");
  return (
    <>
      text
      <h1>Render</h1>
      <p id="words">Words of the page</p>
    </>
  );
}
