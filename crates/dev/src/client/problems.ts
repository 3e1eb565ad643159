// All problems that there are at the moment.
import type { Origin, Problem } from "./protocol";

/** A problem and what it is about: besides what the server tells, updates and style sheets that the page cannot take over. */
export interface Listed extends Problem {
  of: Origin | "update" | "styles";
}

/** What keeps the portal from being built comes before what happens on a page. */
const origins = ["build", "update", "page", "render", "styles"] as const;
const weights = { error: 0, warning: 1, note: 2 };

export class ProblemList {
  private readonly lists = new Map<Listed["of"], Listed[]>();

  /** Puts problems in the place of all others of their origin. */
  replace(of: Listed["of"], problems: Problem[]) {
    this.lists.set(of, problems.map((problem) => ({ ...problem, of })));
  }

  /** Adds a problem, or puts it in the place of the one with its `id`. */
  put(of: Listed["of"], problem: Problem) {
    const list = this.lists.get(of) ?? [];
    const listed = { ...problem, of };
    const index = list.findIndex(({ id }) => id === problem.id);
    this.lists.set(of, index < 0 ? [...list, listed] : list.map((other) => (other.id === problem.id ? listed : other)));
  }

  clear(...origins: Listed["of"][]) {
    for (const of of origins) this.lists.delete(of);
  }

  /** All of them, errors first. */
  all(): Listed[] {
    const all = origins.flatMap((of) => this.lists.get(of) ?? []);
    return all.sort((a, b) => weights[a.severity] - weights[b.severity]);
  }
}
