import type { DeliveryReport, Observation, ObservationContext } from '../../src/domain/belief/facts.ts';
import { MODEL } from '../../src/domain/belief/model.ts';
import { sha256Hex } from '../../src/kernel/crypto.ts';
import { History } from '../../src/organisation/history.ts';
import { bringUpToDate } from '../../src/organisation/schema.ts';
import { contextOf, hashOf, NOW, observation } from './addresses.ts';
import { createObjectStorage, type ObjectStorage } from './object-storage.ts';

export const report = (change: Partial<DeliveryReport> = {}): DeliveryReport => ({
  class: 'user_unknown',
  at: NOW,
  of: 'vr_1',
  source: 'key_1',
  ...change,
});
export const ADA = sha256Hex('ada');
export const PROBE = { domain: hashOf('acme.test'), list: hashOf('a list') };

/** The history of an object; `known` looks up Ada (or another) at one domain and list. */
export function openHistory(storage: ObjectStorage = createObjectStorage()) {
  bringUpToDate(storage.sql, (work) => storage.transactionSync(work));
  const history = new History(storage.sql, MODEL);
  const known = (hash = ADA, lookup = PROBE) => history.known(hash, lookup, 'key_1', NOW);
  const rows = (table: string) => storage.sql.exec(`select * from ${table}`).toArray();
  /** Runs all steps of a recomputation; returns their number. */
  const recompute = (now = NOW): number => {
    for (let steps = 1; ; steps += 1) if (history.recomputeOn(now)) return steps;
  };
  return { storage, history, known, rows, recompute };
}

/** An observation of Ada, or of another. */
export function newsOf(
  news: Partial<Omit<Observation, 'context'>> & {
    readonly local?: string;
    readonly context?: Partial<ObservationContext>;
  },
): Observation {
  const { local = 'ada', context = {}, ...rest } = news;
  return observation({ ...rest, context: contextOf(local, context) });
}
