export default function NotFound() {
  if (typeof window !== "undefined" && window.location.search === "?throw") throw new Error("the not-found page threw");
  return <h1>Not found</h1>;
}
