/** Elements that two style sheets disagree about. */
export function Probes({ names }: { names: string[] }) {
  return (
    <main>
      {names.map((name) => (
        <p key={name} className={name}>
          {name}
        </p>
      ))}
    </main>
  );
}
