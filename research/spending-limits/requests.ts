import type { VerificationContext } from '../../src/contract/verification.ts';
import type { Purpose } from '../../src/contract/vocabulary.ts';
import { usd } from '../../src/domain/metering/usage.ts';
import { type SeededRandom, seededRandom, seedOf } from '../../test/support/seeded-random.ts';
import type { VendorAccounts } from '../../test/support/vendors/simulator.ts';

/** The default of each limit (README). */
const DEFAULTS = { maxCostUsd: 0.02, maxLatencyMs: 3_500 };

const PURPOSES: readonly [Purpose, ...Purpose[]] = ['outbound', 'signup', 'list_hygiene'];

/** A request's limits as drawn: `context` is what it sends, the others what holds for it. */
export interface DrawnLimits {
  readonly context: VerificationContext;
  readonly maxCostUsd: number;
  readonly maxLatencyMs: number;
}

/** A kind of limit, its weight, and a random value; undefined: the request sets none. */
interface Kind {
  readonly weight: number;
  readonly value: (draws: SeededRandom, accounts: VendorAccounts) => number | undefined;
}

const oneOf = <T>(draws: SeededRandom, values: readonly [T, ...T[]]): T =>
  values[draws.index(values.map(() => 1))] ?? values[0];

/** What some of the vendors cost together, to the micro, one more or one less: where rounding would show. */
function edge(draws: SeededRandom, accounts: VendorAccounts): number {
  const some = Object.values(accounts).filter(() => draws.uniform() < 0.4);
  const micros = some.reduce((sum, { priceMicros }) => sum + priceMicros, 0);
  return Math.max(0, usd(micros + oneOf(draws, [0, 0, 1, -1])) + oneOf(draws, [0, 0, -4e-7, 4e-7]));
}

const COSTS: readonly Kind[] = [
  { weight: 2, value: () => 0 },
  { weight: 5, value: () => undefined },
  { weight: 3, value: (draws) => draws.between(1e-7, 0.006) },
  { weight: 5, value: edge },
  { weight: 3, value: (draws) => draws.between(0.02, 0.2) },
  { weight: 2, value: (draws) => oneOf(draws, [1, 1e6, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE]) },
];

const LATENCIES: readonly Kind[] = [
  { weight: 2, value: () => 0 },
  { weight: 5, value: () => undefined },
  { weight: 3, value: (draws) => draws.between(0.1, 60) },
  { weight: 6, value: (draws) => draws.between(60, 3_000) },
  { weight: 3, value: (draws) => draws.between(3_000, 30_000) },
  { weight: 1, value: (draws) => oneOf(draws, [1e6, 2 ** 31 - 1, 2 ** 31, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE]) },
];

/**
 * The limits and the purpose of the request of this number, `accounts` being what the vendors ask. `pace`: limits of time
 * times this, the default too.
 */
export function drawLimits(seed: number, index: number, accounts: VendorAccounts, pace = 1): DrawnLimits {
  const draws = seededRandom(seedOf(seed, 9, index));
  const draw = (kinds: readonly Kind[]): number | undefined =>
    kinds[draws.index(kinds.map(({ weight }) => weight))]?.value(draws, accounts);
  const purpose = oneOf(draws, PURPOSES);
  const cost = draw(COSTS);
  const latency = draw(LATENCIES);
  const named = latency ?? (pace === 1 ? undefined : DEFAULTS.maxLatencyMs);
  return {
    context: {
      purpose,
      ...(cost === undefined ? {} : { max_cost_usd: cost }),
      ...(named === undefined ? {} : { max_latency_ms: named * pace }),
    },
    maxCostUsd: cost ?? DEFAULTS.maxCostUsd,
    maxLatencyMs: (named ?? DEFAULTS.maxLatencyMs) * pace,
  };
}
