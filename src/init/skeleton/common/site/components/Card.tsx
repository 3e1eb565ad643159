import type { ReactNode } from "react";

export function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className="card">
      <h3>{title}</h3>
      <p>{children}</p>
    </li>
  );
}
