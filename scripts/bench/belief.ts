import type { AddressFacts, KnownAnswer, KnownReport } from '../../src/domain/belief/facts.ts';
import { type Groups, initialState, NO_GROUPS } from '../../src/domain/belief/groups.ts';
import type { HostClass } from '../../src/domain/belief/host-class.ts';
import { learn } from '../../src/domain/belief/learning.ts';
import { MODEL } from '../../src/domain/belief/model.ts';
import { believe } from '../../src/domain/belief/posterior.ts';
import { PRIOR_TABLE } from '../../src/domain/belief/prior-table.ts';
import { TRUST_ALL } from '../../src/domain/belief/trust.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { type BenchRow, microsecondsEach, ROUNDS, spread, takeTurns } from './measure.ts';

const EACH = 5_000;
const NOW = Date.UTC(2026, 10, 12);
const HOSTS = Object.keys(PRIOR_TABLE) as HostClass[];
const NAME = '2'.repeat(32);
const BOUNDS = { isTrusted: true, isFile: false };

const ANSWERS: readonly KnownAnswer[] = [
  { provider: 'zerobounce', verdict: 'deliverable', at: NOW - 40 * DAY_MS },
  { provider: 'bouncer', verdict: 'unknown', at: NOW - 3 * DAY_MS },
];
const REPORTS: readonly KnownReport[] = [
  { class: 'delivered', at: NOW - 90 * DAY_MS, of: ['1'], source: '00a1' },
  { class: 'soft', at: NOW - 20 * DAY_MS, of: ['2'], source: '00a1' },
  { class: 'user_unknown', at: NOW - DAY_MS, of: ['3'], source: '00a1' },
];

/** An address with two answers, three reports and a proof of life; a neighbour has moved the groups too. */
function known(host: HostClass) {
  const facts: AddressFacts = {
    firstSeenAt: NOW - 100 * DAY_MS,
    host,
    features: ['digits'],
    purpose: 'outbound',
    domain: '0'.repeat(32),
    list: '1'.repeat(32),
    answers: ANSWERS,
    reports: REPORTS,
    proofs: [{ class: 'confirmed', at: NOW - 95 * DAY_MS }],
  };
  const neighbour = { ...facts, reports: REPORTS.slice(0, 1) };
  const around: Groups = learn(MODEL, '3'.repeat(32), neighbour, NO_GROUPS, null, TRUST_ALL, NOW).groups;
  const { groups, contribution } = learn(MODEL, NAME, facts, around, null, TRUST_ALL, NOW);
  return { facts, groups, contribution };
}

/** The cost of a belief with much evidence, and of a new fact's effect on the groups. */
export async function run(isQuick: boolean): Promise<BenchRow[]> {
  const byHost = HOSTS.map(known);
  const cases = Array.from({ length: EACH }, (_, i) => byHost[i % byHost.length] as (typeof byHost)[number]);
  const times = await takeTurns(
    {
      belief: microsecondsEach(cases, ({ facts, groups, contribution }) => {
        const { host, features, purpose, answers, reports, proofs } = facts;
        const seen = { host, features, purpose, now: NOW };
        const own = { name: NAME, contribution };
        const initial = initialState(
          MODEL,
          { ...seen, sharedAcceptsAll: 0, groups, own, isOwnList: true },
          facts,
          BOUNDS,
        );
        return believe({ ...seen, model: MODEL, initial, answers, reports, proofs });
      }),
      update: microsecondsEach(cases, ({ facts, groups, contribution }) =>
        learn(MODEL, NAME, facts, groups, contribution, TRUST_ALL, NOW),
      ),
    },
    isQuick ? 3 : ROUNDS,
  );
  const row = (name: string, values: readonly number[], atMost: number) => {
    const { median: value, range } = spread(values);
    return { name, value, unit: 'µs', range, target: { atMost } };
  };
  return [row('belief with interval and history', times.belief, 40), row('groups, a new fact', times.update, 15)];
}
