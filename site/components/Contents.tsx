import "./Contents.css";

/** The table of contents of a page. */
export function Contents({ entries }: { entries: readonly { id: string; title: string }[] }) {
  return (
    <nav className="contents" aria-labelledby="contents-title">
      <p className="contents-title" id="contents-title">
        本页目录
      </p>
      <ol>
        {entries.map(({ id, title }) => (
          <li key={id}>
            <a className="contents-link" href={`#${id}`}>
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
