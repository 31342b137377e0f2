import { zeros } from '../../kernel/vector.ts';

/** Log-odds of many domains or lists, added up. They stand in one array: an array each would take several times the memory. */
export class LevelSums {
  private readonly width: number;
  private readonly places = new Map<string, number>();
  private values: Float64Array;

  constructor(width: number) {
    this.width = width;
    this.values = new Float64Array(width * 16);
  }

  get names(): Iterable<string> {
    return this.places.keys();
  }

  has(name: string): boolean {
    return this.places.has(name);
  }

  add(name: string, by: ArrayLike<number>, factor: number): void {
    let place = this.places.get(name);
    if (place === undefined) {
      place = this.places.size * this.width;
      this.places.set(name, place);
      if (place === this.values.length) {
        const larger = new Float64Array(2 * place);
        larger.set(this.values);
        this.values = larger;
      }
    }
    for (let at = 0; at < this.width; at += 1)
      this.values[place + at] = (this.values[place + at] ?? 0) + factor * (by[at] ?? 0);
  }

  /** A sum of its own; null: nothing was added there. */
  of(name: string): number[] | null {
    const place = this.places.get(name);
    if (place === undefined) return null;
    const sum = zeros(this.width);
    for (let at = 0; at < this.width; at += 1) sum[at] = this.values[place + at] ?? 0;
    return sum;
  }

  /** The sum without one of those that were added. */
  without(name: string, by: readonly number[]): number[] | null {
    const sum = this.of(name);
    if (sum !== null) for (let at = 0; at < this.width; at += 1) sum[at] = (sum[at] ?? 0) - (by[at] ?? 0);
    return sum;
  }

  clear(): void {
    this.places.clear();
    this.values = new Float64Array(this.width * 16);
  }
}
