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
            {message}
            {rule && <code className="rule"> {rule}</code>}
            {showPlace && place && <span className="place"> {words.place(place)}</span>}
            {hints?.map((hint) => (
              <span className="hint" key={hint}>
                {hint}
              </span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** How many errors and warnings a route has. */
export function countsOf({ findings, title, description, redirect }: Route): { errors: number; warnings: number } {
  const all = [findings, title.findings, description.findings, redirect?.findings ?? []].flat();
  const count = (severity: string) => all.filter((finding) => finding.severity === severity).length;
  return { errors: count("error"), warnings: count("warning") };
}
