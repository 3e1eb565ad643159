import "./styles.css";

import { Link } from "./components/link.jsx";

/** What surrounds every page. */
export default function Layout({ children }) {
  return (
    <>
      <header>
        <Link to="/">Harbour news</Link>
        <nav aria-label="Sections">
          {[1, 2, 3, 4, 5].map((id) => (
            <Link key={id} to={`/articles/${id}`}>{`Article ${id}`}</Link>
          ))}
        </nav>
      </header>
      <main>{children}</main>
      <footer>Made of plain files.</footer>
    </>
  );
}
