/** A timer and its handle. The earlier one fires first; of equal ones, the one set first. */
interface Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly fire: () => void;
}

/** Resolves once all pending promises have settled. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Time that advances from timer to timer once no other work is left. An hour of waiting takes only its computing time, and
 * ends at the same virtual time on every machine. Delays are not bounded, as in workerd
 * (Node's timers fire at once beyond 2³¹ − 1 ms).
 */
export class VirtualTime {
  private nowMs = 0;
  private timersSet = 0;
  /** The next one first. */
  private readonly timers: Timer[] = [];

  readonly now = (): number => this.nowMs;

  /** Runs the work with `setTimeout` and `clearTimeout` counting this time. Rejects when it waits for nothing. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { setTimeout: realSet, clearTimeout: realClear } = globalThis;
    const set = (callback: (...values: unknown[]) => void, ms = 0, ...values: unknown[]): Timer =>
      this.set(ms, () => callback(...values));
    Object.assign(globalThis, { setTimeout: set, clearTimeout: (timer?: Timer) => this.clear(timer) });
    try {
      const state = { done: false };
      const result = work().finally(() => {
        state.done = true;
      });
      // Waited for below, perhaps after it has failed.
      result.catch(() => undefined);
      for (await settled(); !state.done; await settled()) {
        const timer = this.timers.shift();
        if (timer === undefined) throw new Error('the work waits for nothing');
        this.nowMs = timer.dueMs;
        timer.fire();
      }
      return await result;
    } finally {
      Object.assign(globalThis, { setTimeout: realSet, clearTimeout: realClear });
    }
  }

  private set(ms: number, fire: () => void): Timer {
    this.timersSet += 1;
    const timer = { dueMs: this.nowMs + Math.max(0, ms), order: this.timersSet, fire };
    this.timers.splice(this.placeOf(timer), 0, timer);
    return timer;
  }

  private clear(timer: Timer | undefined): void {
    if (timer === undefined) return;
    const place = this.placeOf(timer);
    if (this.timers[place] === timer) this.timers.splice(place, 1);
  }

  /** How many timers go before it. */
  private placeOf({ dueMs, order }: Timer): number {
    let [low, high] = [0, this.timers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.timers[middle];
      if (other !== undefined && (other.dueMs - dueMs || other.order - order) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
