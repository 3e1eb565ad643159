import "./Contents.css";
import { useCurrentSection } from "./useCurrentSection";

/** The table of contents of a page. It marks the section that is being read. */
export function Contents({ entries }: { entries: readonly { id: string; title: string }[] }) {
  const current = useCurrentSection(entries);
  return (
    <nav className="contents" aria-labelledby="contents-title">
      <p className="contents-title" id="contents-title">
        本页目录
      </p>
      <ol>
        {entries.map(({ id, title }) => (
          <li key={id}>
            <a className="contents-link" href={`#${id}`} aria-current={id === current ? "location" : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
