import type { KnownAnswer } from '../../src/domain/belief/facts.ts';
import type { DeliveryReport, Observation } from '../../src/domain/belief/facts.ts';
import type { LevelUpdate } from '../../src/domain/verification/history.ts';
import { decodeHistory } from '../../src/domain/verification/history-codec.ts';
import { SECOND_MS } from '../../src/kernel/clock.ts';
import { sha256Hex } from '../../src/kernel/keyed-hash.ts';
import { History } from '../../src/organisation/history.ts';
import { bringUpToDate } from '../../src/organisation/migrations.ts';
import { COUNTED, hashOf, learnt, sight } from './histories.ts';
import { createObjectStorage, type ObjectStorage } from './object-storage.ts';
import { START_MS } from './records.ts';

export const NOW = START_MS - (START_MS % SECOND_MS);
export const answer = (change: Partial<KnownAnswer> = {}): KnownAnswer => ({
  provider: 'kickbox',
  verdict: 'undeliverable',
  catch_all: null,
  at: NOW,
  ...change,
});
export const report = (change: Partial<DeliveryReport> = {}): DeliveryReport => ({
  class: 'user_unknown',
  at: NOW,
  of: 'vr_1',
  source: 'key_1',
  ...change,
});
export const ADA = sha256Hex('ada');
export const PROBE = { domain: hashOf('acme.test'), list: hashOf('a list') };

/** The history of an object; `known`: what it brings back of Ada, or of another, at one domain and one list. */
export function openHistory(by: LevelUpdate = COUNTED, storage: ObjectStorage = createObjectStorage()) {
  bringUpToDate(storage.sql, (work) => storage.transactionSync(work));
  const history = new History(storage.sql, by);
  const known = (hash = ADA) => decodeHistory(history.known(hash, PROBE, 'key_1'));
  const rows = (table: string) => storage.sql.exec(`select * from ${table}`).toArray();
  return { storage, history, known, rows };
}
/** News of Ada, or of another. */
export const newsOf = (news: Partial<Observation> & { readonly local?: string }): Observation => {
  const { local = 'ada', ...rest } = news;
  return learnt({ sight: sight(local, { at: NOW }), ...rest });
};
