/** An address that one can write to. */
export function Mail({ to }: { to: string }) {
  return (
    <a className="mail" href={`mailto:${to}`}>
      {to}
    </a>
  );
}
