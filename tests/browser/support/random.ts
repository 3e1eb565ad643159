// Random numbers that are the same on every machine: mulberry32.

export class Random {
  constructor(private state: number) {}

  /** A number from 0 to `limit - 1`. */
  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) % limit;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}
