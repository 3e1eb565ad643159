// What is wrong.
import { useWords } from "portalgen:panel/language";
import type { Finding, Route } from "portalgen:panel/protocol";

export function Findings({ findings, showPlace = false }: { findings: Finding[]; showPlace?: boolean }) {
  const words = useWords();
  if (findings.length === 0) return null;
  return (
    <ul className="findings">
      {findings.map(({ severity, message, hints, rule, place }, number) => (
        <li key={number} className={severity}>
          <span className="severity">{words.severities[severity]}</span>{" "}
          <span>
            <Sentence text={message} />
            {rule && <code className="rule"> {rule}</code>}
            {showPlace && place && <span className="place"> {words.place(place)}</span>}
            {hints?.map((hint) => (
              <span className="hint" key={hint}>
                <Sentence text={hint} />
              </span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A sentence in which code stands between backticks. */
function Sentence({ text }: { text: string }) {
  return text.split("`").map((part, number) => (number % 2 === 1 ? <code key={number}>{part}</code> : part));
}

/** How many errors and warnings a route has. */
export function countsOf({ findings, title, description, redirect }: Route): { errors: number; warnings: number } {
  const all = [findings, title.findings, description.findings, redirect?.findings ?? []].flat();
  const count = (severity: string) => all.filter((finding) => finding.severity === severity).length;
  return { errors: count("error"), warnings: count("warning") };
}
