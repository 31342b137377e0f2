import type { Purpose } from '../../src/contract/vocabulary.ts';
import {
  type AddressHistory,
  type DeliveryClass,
  DOMAIN_LEVELS,
  FEATURES,
  type Learnt,
  type Levels,
  type LevelUpdate,
  LIST_LEVELS,
  type Neighbours,
  type OwnPart,
  type Sight,
} from '../../src/domain/verification/history.ts';
import { logOddsOf, partOf } from '../../src/domain/verification/history-codec.ts';
import { rowName } from '../../src/domain/verification/history-merge.ts';
import type { HostClass } from '../../src/domain/verification/host-class.ts';
import { PROVIDER_IDS, type ProviderVerdict } from '../../src/domain/verification/provider.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { sha256Hex } from '../../src/kernel/keyed-hash.ts';
import { START_MS } from './records.ts';
import type { SeededRandom } from './seeded-random.ts';

/** A row's name. */
export const hashOf = (text: string): string => rowName(sha256Hex(text));

export const sight = (local = 'ada', change: Partial<Sight> = {}): Sight => ({
  address: hashOf(local),
  domain: hashOf('acme.test'),
  list: hashOf('a list'),
  at: START_MS,
  host: 'google_business',
  features: [],
  purpose: 'signup',
  ...change,
});

export const learnt = (change: Partial<Learnt> = {}): Learnt => ({
  sight: sight(),
  answers: [],
  report: null,
  proof: null,
  ...change,
});

/** The fullest row there can be. */
export const FULLEST: AddressHistory = {
  firstSeenAt: START_MS - (START_MS % 1_000),
  host: 'disposable',
  features: [...FEATURES],
  purpose: 'list_hygiene',
  domain: hashOf('acme.test'),
  list: hashOf('a list'),
  answers: PROVIDER_IDS.map((provider, place) => ({
    provider,
    verdict: 'unknown',
    catch_all: true,
    at: 1_000 * (2 ** 32 - 1 - place),
  })),
  reports: Array.from({ length: 8 }, (_, place) => ({ class: 'complaint', at: 1_000 * place, source: 'ffff' })),
  proofs: [
    { class: 'confirmed', at: 1_000 },
    { class: 'paid', at: 2_000 },
  ],
  part: {
    at: 3_000,
    counted: 'delivered',
    domain: Int16Array.from({ length: DOMAIN_LEVELS }, () => -32_768),
    list: Int16Array.from({ length: LIST_LEVELS }, () => 32_767),
  },
};

const VERDICTS: readonly ProviderVerdict[] = ['deliverable', 'undeliverable', 'catch_all', 'risky', 'unknown'];
const REPORTS: readonly DeliveryClass[] = ['user_unknown', 'refused', 'full', 'soft', 'delivered', 'complaint'];
const PURPOSES: readonly Purpose[] = ['signup', 'outbound', 'list_hygiene'];
const HOSTS: readonly HostClass[] = [
  'google_consumer',
  'unresolved_business',
  'relay',
  'gateway_business',
  'disposable',
];

/** Any row. */
export function anyHistory({ uniform: random }: SeededRandom): AddressHistory {
  const below = (most: number): number => Math.floor(random() * most);
  const one = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  const at = (): number => 1_000 * below(2 ** 32);
  return {
    firstSeenAt: at(),
    host: one(HOSTS),
    features: FEATURES.filter(() => random() < 0.5),
    purpose: one(PURPOSES),
    domain: hashOf(`${random()}`),
    list: random() < 0.5 ? hashOf(`${random()}`) : null,
    answers: PROVIDER_IDS.filter(() => random() < 0.5).map((provider) => ({
      provider,
      verdict: one(VERDICTS),
      catch_all: one([null, false, true]),
      at: at(),
    })),
    reports: Array.from({ length: below(9) }, () => ({
      class: one(REPORTS),
      at: at(),
      source: hashOf(`${random()}`).slice(0, 4),
    })),
    proofs: (['confirmed', 'paid'] as const).flatMap((kind) => (random() < 0.5 ? [{ class: kind, at: at() }] : [])),
    part:
      random() < 0.5
        ? null
        : {
            at: at(),
            counted: one([null, 'refused', 'delivered']),
            domain: Int16Array.from({ length: DOMAIN_LEVELS }, () => below(65_536) - 32_768),
            list: Int16Array.from({ length: LIST_LEVELS }, () => below(65_536) - 32_768),
          },
  };
}

const NEW_LEVELS = { isReported: false, stoppedOn: null, refused: 0, delivered: 0 };

const shifted = (levels: Levels | null, part: Int16Array, sign: 1 | -1, at: number): Levels => {
  const by = logOddsOf(part);
  const values = levels?.values ?? new Float32Array(part.length);
  return { ...(levels ?? NEW_LEVELS), values: values.map((value, place) => value + sign * (by[place] ?? 0)), at };
};

const countsOf = ({ reports }: Pick<AddressHistory, 'reports'>) => {
  const count = (...classes: DeliveryClass[]) => reports.filter((report) => classes.includes(report.class)).length;
  const counts = [count('user_unknown', 'refused'), count('delivered')];
  const filled = (length: number) => Array.from({ length }, (_, place) => counts[place] ?? 0);
  const isReported = { domain: false, list: false };
  return { domain: filled(DOMAIN_LEVELS), list: filled(LIST_LEVELS), counted: null, isReported };
};

/** Levels that do not fade: each refusal adds 1 to the first level, each delivery to the second. All sums are exact. */
export const COUNTED: LevelUpdate = {
  shown: (address) => () => countsOf(address),
  learn(address, around, now) {
    const part = partOf(countsOf(address), now);
    const without = address.part === null ? around : COUNTED.shift(around, address.part, -1, now);
    return { ...COUNTED.shift(without, part, 1, now), part };
  },
  shift: (around: Neighbours, part: OwnPart, sign, now) => ({
    domain: shifted(around.domain, part.domain, sign, now),
    list: shifted(around.list, part.list, sign, now),
  }),
};

const DOMAIN_COUNT = 12;
const LIST_COUNT = 4;

/**
 * What an account learns in 300 days until `now` of so many addresses at few domains and in few lists, in the order of time: answers,
 * and reports that come days later. Several of one address are frequent.
 */
export function anyNews({ uniform: random }: SeededRandom, addresses: number, now: number): Learnt[] {
  const below = (most: number): number => Math.floor(random() * most);
  const one = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  const hosts = Array.from({ length: DOMAIN_COUNT }, () => one(HOSTS));
  const dated = Array.from({ length: 2 * addresses }, (_, number) => {
    const local = `person ${below(addresses)}`;
    const domain = hashOf(local).charCodeAt(0) % DOMAIN_COUNT;
    const when = now - below(300 * DAY_MS);
    const list = random() < 0.1 ? null : hashOf(`list ${below(LIST_COUNT)}`);
    const purpose = one(PURPOSES);
    const seen = sight(local, { domain: hashOf(`domain ${domain}`), list, purpose, at: when, host: one(hosts) });
    const answers = PROVIDER_IDS.filter(() => random() < 0.3).map((provider) => ({
      provider,
      verdict: one(VERDICTS),
      catch_all: null,
      at: when,
    }));
    const reportedAt = Math.min(now, when + below(5 * DAY_MS));
    const report = { class: one(REPORTS), at: reportedAt, of: `vr_${number}`, source: 'key_1' };
    const news: { readonly at: number; readonly learnt: Learnt }[] = [];
    if (answers.length > 0) news.push({ at: when, learnt: learnt({ sight: seen, answers }) });
    if (random() < 0.4) news.push({ at: reportedAt, learnt: learnt({ sight: seen, report }) });
    return news;
  });
  return dated
    .flat()
    .toSorted((earlier, later) => earlier.at - later.at)
    .map(({ learnt: news }) => news);
}
