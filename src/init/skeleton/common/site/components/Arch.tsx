/** The mark of the portal: a doorway, and morning behind it. Its colours are in styles.css. */
export function Arch({ className }: { className: string }) {
  return (
    <svg className={className} viewBox="0 0 320 320" aria-hidden="true">
      <path className="arch-night" d="M24 276V140a136 136 0 0 1 272 0v136z" />
      <path className="arch-dusk" d="M60 276V140a100 100 0 0 1 200 0v136z" />
      <path className="arch-glow" d="M96 276V140a64 64 0 0 1 128 0v136z" />
      <circle className="arch-sun" cx="160" cy="184" r="34" />
      <path className="arch-hill" d="M96 214q36-22 74 0t54-8v70H96z" />
      <path className="arch-night" d="M96 240q30 14 62 0t66 4v32H96z" />
      <path className="arch-sun" d="M96 276h128l60 40H36z" />
    </svg>
  );
}
