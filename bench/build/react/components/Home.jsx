import { Helpful } from "./Helpful.jsx";
import { Link } from "./link.jsx";

const latest = Array.from({ length: 8 }, (_, index) => index + 1);

/** The home page. `title` is for sites where React shows it. */
export default function Home({ title, helpful = <Helpful /> }) {
  return (
    <>
      {title && <title>{title}</title>}
      <h1>News from the harbour</h1>
      <p>Tides, timetables and what the harbour office has to say.</p>
      {helpful}
      <ul>
        {latest.map((id) => (
          <li key={id}>
            <Link to={`/articles/${id}`}>{`Article ${id}`}</Link>
          </li>
        ))}
      </ul>
    </>
  );
}
