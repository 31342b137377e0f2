import { NO_GROUPS, predict } from '../../src/domain/belief/groups.ts';
import type { HostClass } from '../../src/domain/belief/host-class.ts';
import { MODEL } from '../../src/domain/belief/model.ts';
import { believe } from '../../src/domain/belief/posterior.ts';
import { PRIOR_TABLE } from '../../src/domain/belief/prior-table.ts';
import { NO_FACTS } from '../../src/domain/belief/facts.ts';
import { newId } from '../../src/kernel/ids.ts';
import { check } from '../../src/services/verification/check.ts';
import { verify } from '../../src/services/verification/verify.ts';
import { microsecondsEach, spread, takeTurns } from './rounds.ts';
import type { BenchRow } from './row.ts';
import { runVerb } from './run-verb.ts';
import { keyedHash, useCaseDeps, useCaseExchange } from './use-case.ts';

const EACH = 5_000;
const NOW = Date.UTC(2026, 10, 12);

const HOSTS = ['aspmx.l.google.com', 'acme-com.mail.protection.outlook.com', 'mx1.mail.acme.example'];
const EMAILS = Array.from({ length: EACH }, (_, i) => `ada.lovelace+${i}@acme-${i % 97}.example`);

/** A stranger at a signup. */
const ALONE = {
  features: [],
  purpose: 'signup',
  sharedAcceptsAll: 0,
  groups: NO_GROUPS,
  own: null,
  isOwnList: false,
  now: NOW,
} as const;

/** What a request computes, with the object and DNS answering at once: the microseconds of one call, promises included. */
export async function run(): Promise<BenchRow[]> {
  const deps = useCaseDeps(
    (domain) => [HOSTS[domain.length % HOSTS.length] ?? ''],
    () => NOW,
  );
  const op = useCaseExchange(newId('org', NOW), NOW);
  const each = (call: (email: string) => Promise<unknown>) => async (): Promise<number> => {
    const started = performance.now();
    for (const email of EMAILS) await call(email);
    return ((performance.now() - started) * 1_000) / EACH;
  };
  const hosts = Object.keys(PRIOR_TABLE) as HostClass[];
  const contestants = {
    verify: each((email) => runVerb(deps, verify, op, { body: { email } })),
    check: each((email) => runVerb(deps, check, op, { body: { email } })),
    hashes: microsecondsEach(EMAILS, (email) => keyedHash(email) + keyedHash(email)),
    belief: microsecondsEach(
      EMAILS.map((_, i) => hosts[i % hosts.length] ?? 'relay'),
      (host) =>
        believe({
          model: MODEL,
          host,
          features: [],
          purpose: 'signup',
          initial: predict(MODEL, { ...ALONE, host }).state,
          ...NO_FACTS,
          now: NOW,
        }),
    ),
  };
  await contestants.verify();
  const times = await takeTurns(contestants);
  const [hashes, belief] = [times.hashes, times.belief].map((values) => spread(values).median.toFixed(1));
  const row = (name: string, values: readonly number[]) => {
    const { median: value, range } = spread(values);
    return { name, value, unit: 'µs', range };
  };
  return [
    {
      ...row('verify without I/O', times.verify),
      target: { atMost: 100 },
      note: `of it two keyed hashes ${hashes} µs, belief and interval ${belief} µs`,
    },
    row('check without I/O', times.check),
  ];
}
