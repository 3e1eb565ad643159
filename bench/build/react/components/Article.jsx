import { Helpful } from "./Helpful.jsx";
import { Link } from "./link.jsx";

/** An article, and links to three others. `title` is for sites where React shows it, `helpful` the part with state. */
export default function Article({ title, heading, lead, sections, related, helpful = <Helpful /> }) {
  return (
    <article>
      {title && <title>{title}</title>}
      <h1>{heading}</h1>
      <p>{lead}</p>
      {sections.map((section) => (
        <section key={section.heading}>
          <h2>{section.heading}</h2>
          <p>{section.text}</p>
        </section>
      ))}
      {helpful}
      <ul>
        {related.map((id) => (
          <li key={id}>
            <Link to={`/articles/${id}`}>{`Article ${id}`}</Link>
          </li>
        ))}
      </ul>
    </article>
  );
}
