import type { KnownAnswer } from '../../src/domain/verification/answer.ts';
import { firstState } from '../../src/domain/verification/first-state.ts';
import type { AddressHistory, KnownReport, Neighbours } from '../../src/domain/verification/history.ts';
import type { HostClass } from '../../src/domain/verification/host-class.ts';
import { levelUpdate } from '../../src/domain/verification/level-update.ts';
import { SEEDED_MODEL } from '../../src/domain/verification/model.ts';
import { believe } from '../../src/domain/verification/posterior.ts';
import { PRIOR_TABLE } from '../../src/domain/verification/prior-table.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { type BenchRow, microsecondsEach, ROUNDS, spread, takeTurns } from './measure.ts';

const EACH = 5_000;
const NOW = Date.UTC(2026, 10, 12);
const HOSTS = Object.keys(PRIOR_TABLE) as HostClass[];
const SIGHT = { purpose: 'outbound', at: NOW } as const;
const UPDATE = levelUpdate(SEEDED_MODEL);

const ANSWERS: readonly KnownAnswer[] = [
  { provider: 'zerobounce', verdict: 'deliverable', catch_all: null, at: NOW - 40 * DAY_MS },
  { provider: 'bouncer', verdict: 'unknown', catch_all: null, at: NOW - 3 * DAY_MS },
];
const REPORTS: readonly KnownReport[] = [
  { class: 'delivered', at: NOW - 90 * DAY_MS, source: '00a1' },
  { class: 'soft', at: NOW - 20 * DAY_MS, source: '00a1' },
  { class: 'user_unknown', at: NOW - DAY_MS, source: '00a1' },
];

/** An address of which an account knows two answers, three reports and a proof of life; its neighbours have moved domain and list. */
function known(host: HostClass): { readonly address: AddressHistory; readonly around: Neighbours } {
  const address: AddressHistory = {
    firstSeenAt: NOW - 100 * DAY_MS,
    host,
    features: ['digits'],
    purpose: SIGHT.purpose,
    domain: '0'.repeat(32),
    list: '1'.repeat(32),
    answers: ANSWERS,
    reports: REPORTS,
    proofs: [{ class: 'confirmed', at: NOW - 95 * DAY_MS }],
    part: null,
  };
  const neighbour = UPDATE.learn(
    { ...address, reports: REPORTS.slice(0, 1) },
    { domain: null, list: null },
    NOW,
    SIGHT,
  );
  const { part, ...around } = UPDATE.learn(address, neighbour, NOW, SIGHT);
  return { address: { ...address, part }, around };
}

/** What a number costs where the account knows much: the belief by all of it, and what a new fact does to the levels around. */
export async function run(isQuick: boolean): Promise<BenchRow[]> {
  const byHost = HOSTS.map(known);
  const cases = Array.from({ length: EACH }, (_, i) => byHost[i % byHost.length] as (typeof byHost)[number]);
  const times = await takeTurns(
    {
      belief: microsecondsEach(cases, ({ address, around }) => {
        const { host, features, purpose, part: own, answers, reports, proofs } = address;
        const first = firstState(SEEDED_MODEL, {
          host,
          features,
          purpose,
          acceptsAllOdds: 1,
          around,
          own,
          isOwnList: true,
          now: NOW,
        });
        return believe({ model: SEEDED_MODEL, host, features, first, answers, reports, proofs, now: NOW });
      }),
      update: microsecondsEach(cases, ({ address, around }) => UPDATE.learn(address, around, NOW, SIGHT)),
    },
    isQuick ? 3 : ROUNDS,
  );
  const row = (name: string, values: readonly number[], atMost: number) => {
    const { median: value, range } = spread(values);
    return { name, value, unit: 'µs', range, target: { atMost } };
  };
  return [
    row('belief with interval and history', times.belief, 40),
    row('levels of domain and list, a new fact', times.update, 20),
  ];
}
