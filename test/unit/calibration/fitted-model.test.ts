import { describe, expect, it } from 'vitest';
import { observed } from '../../../src/domain/calibration/expectation.ts';
import { type Fit, fit, POOLING_STRENGTH, tableRates } from '../../../src/domain/calibration/fit.ts';
import { fittedTables } from '../../../src/domain/calibration/fitted-model.ts';
import type { TracePattern } from '../../../src/domain/calibration/pattern.ts';
import { ANSWERS } from '../../../src/domain/calibration/tables.ts';
import type { Answer } from '../../../src/domain/verification/answer.ts';
import type { HostClass } from '../../../src/domain/verification/host-class.ts';
import { type Model, rowsAt, SEEDED_MODEL as SEED } from '../../../src/domain/verification/model.ts';
import { PROVIDER_IDS, type ProviderId } from '../../../src/domain/verification/provider.ts';
import { type AnswerRows, totalOf, VERDICTS } from '../../../src/domain/verification/provider-table.ts';
import { drawnAccount } from './accounts.ts';

interface Traces {
  readonly host: HostClass;
  readonly answers?: readonly Answer[];
  readonly bounced?: number;
  readonly landed?: number;
  readonly silent?: number;
}

const tracesOf = ({ host, answers = [], bounced = 0, landed = 0, silent = 0 }: Traces): TracePattern => ({
  fold: 0,
  host,
  answers,
  acceptsAllOdds: 1,
  weight: bounced + landed + silent,
  bounced: { count: bounced, weight: bounced },
  landed: { count: landed, weight: landed },
});

/** The tables of traces that leave every mean as the table has it, so that their weights alone differ. */
function weighed(traces: readonly Traces[], trust: number): Pick<Model, 'prior' | 'providers'> {
  const { hosts, anyHost } = fit(SEED, traces.map(tracesOf), 1e9);
  const hostsAtTable: Fit['hosts'] = new Map(
    Array.from(hosts, ([host, found]) => {
      const patterns = traces.filter((each) => each.host === host).map((each) => observed(tracesOf(each)));
      return [host, { ...found, patterns, rates: tableRates(SEED, host) }];
    }),
  );
  return fittedTables(SEED, { hosts: hostsAtTable, anyHost }, trust);
}

const inSeries = (one: number, other: number): number => (one * other) / (one + other);
/** Tables keep four digits. */
const isNear = (value: number | undefined, expected: number): boolean =>
  Math.abs((value ?? Number.NaN) / expected - 1) < 0.002;

const EVERY: readonly Answer[] = PROVIDER_IDS.map((provider) => ({ provider, verdict: 'deliverable' }));
const HOSTS = ['google_business', 'google_consumer', 'yahoo_consumer'] as const;
const TRUSTS = [1, 3, 10] as const;
/** Traces, but as good as none. */
const NEXT_TO_NOTHING = 1e-9;

describe('traces that say next to nothing', () => {
  it.each(TRUSTS.flatMap((trust) => HOSTS.map((host) => ({ host, trust }))))(
    'leave the cells of $host as the table has them, $trust times as heavy',
    ({ host, trust }) => {
      const { prior } = weighed([{ host, answers: EVERY, silent: NEXT_TO_NOTHING }], trust);
      for (const cell of SEED.prior[host]) {
        const found = prior[host].find((each) => each.answer === cell.answer && each.acceptsAll === cell.acceptsAll);
        expect(isNear(found?.alpha, trust * cell.alpha)).toBe(true);
        expect(isNear(found?.bounced, trust * cell.bounced)).toBe(true);
        expect(isNear(found?.landed, trust * cell.landed)).toBe(true);
      }
    },
  );

  it.each(TRUSTS)('leave rows as the table has them, as sure as table, taken %d times, and tie together', (trust) => {
    const traces = HOSTS.map((host) => ({ host, answers: EVERY, silent: NEXT_TO_NOTHING }));
    const { providers } = weighed(traces, trust);
    const expectSame = (found: AnswerRows | undefined, table: AnswerRows): void => {
      for (const answer of ANSWERS) {
        const total = totalOf(table[answer]);
        table[answer].forEach((count, verdict) => {
          expect(isNear(found?.[answer][verdict], (count / total) * inSeries(trust * total, POOLING_STRENGTH))).toBe(
            true,
          );
        });
      }
    };
    for (const id of PROVIDER_IDS) {
      expectSame(providers[id].anyHost, SEED.providers[id].anyHost);
      for (const host of HOSTS) expectSame(providers[id].hosts[host], rowsAt(SEED, id, host));
    }
  });
});

describe('a cell of a host', () => {
  const host = 'google_business';
  const [bounced, landed] = [40, 700];
  /** P(cell | bounces), and P(cell | lands), by the table. */
  const cells = SEED.prior[host].map((cell) => {
    const rate = cell.bounced / (cell.bounced + cell.landed);
    return { ...cell, hit: cell.alpha * rate, missed: cell.alpha * (1 - rate) };
  });
  const total = (of: 'hit' | 'missed' | 'alpha'): number => cells.reduce((sum, cell) => sum + cell[of], 0);
  const partsOf = (cell: (typeof cells)[number]) => ({
    hits: bounced * (cell.hit / total('hit')) ** 2,
    misses: landed * (cell.missed / total('missed')) ** 2,
  });
  const found = (trust: number) => {
    const prior = weighed([{ host, bounced, landed }], trust).prior[host];
    return cells.map((cell) => {
      const fitted = prior.find((each) => each.answer === cell.answer && each.acceptsAll === cell.acceptsAll);
      if (fitted === undefined) throw new Error('a host has all its cells');
      return { cell, fitted };
    });
  };

  it.each(TRUSTS)('keeps its mean, and the variance that its outcomes leave its log-odds beside %d tables', (trust) => {
    for (const { cell, fitted } of found(trust)) {
      const { hits, misses } = partsOf(cell);
      expect(isNear(fitted.bounced / fitted.landed, cell.bounced / cell.landed)).toBe(true);
      expect(
        isNear(
          1 / fitted.bounced + 1 / fitted.landed,
          1 / (trust * cell.bounced + hits) + 1 / (trust * cell.landed + misses),
        ),
      ).toBe(true);
    }
  });

  it.each(TRUSTS)(
    'keeps its share, as wide on average as what was seen leaves the shares beside %d tables',
    (trust) => {
      let [widths, expected, size] = [0, 0, 0];
      for (const { cell, fitted } of found(trust)) {
        const { hits, misses } = partsOf(cell);
        const share = cell.alpha / total('alpha');
        widths += share / fitted.alpha;
        expected += share / (trust * cell.alpha + hits + misses);
        size += fitted.alpha;
      }
      expect(isNear(widths, expected)).toBe(true);
      for (const { cell, fitted } of found(trust))
        expect(isNear(fitted.alpha / size, cell.alpha / total('alpha'))).toBe(true);
    },
  );
});

describe('the row of a provider', () => {
  const say = (provider: ProviderId): Answer[] => VERDICTS.map((verdict) => ({ provider, verdict }));
  const asks = (host: HostClass, provider: ProviderId, silent: number): Traces[] =>
    say(provider).map((answer) => ({ host, answers: [answer], silent }));
  const sizeOf = (
    { providers }: Pick<Model, 'providers'>,
    id: ProviderId,
    host: HostClass | null,
    answer: (typeof ANSWERS)[number] = 'accepts',
  ): number =>
    totalOf((host === null ? providers[id].anyHost : providers[id].hosts[host])?.[answer] ?? [0, 0, 0, 0, 0]);

  it('is of its own at hosts where it was asked, or has one in the table; at every other it is that over all hosts', () => {
    const { providers } = weighed(asks('google_business', 'kickbox', 10), 1);
    for (const id of PROVIDER_IDS) {
      const { google_business, ...others } = providers[id].hosts;
      expect(others).toEqual(SEED.providers[id].hosts);
      expect(google_business !== undefined).toBe(id === 'kickbox');
    }
    const { hosts } = weighed(asks('yahoo_consumer', 'kickbox', 10), 1).providers.hunter;
    expect(hosts).toEqual(SEED.providers.hunter.hosts);
  });

  it.each(PROVIDER_IDS)('is found by the provider that it is of: %s', (id) => {
    const { providers } = weighed(asks('google_business', id, 1), 1);
    for (const each of PROVIDER_IDS)
      expect(providers[each].hosts.google_business !== undefined, each).toBe(each === id);
  });

  it('is the surer, at a host and over all, the more often the provider was asked there', () => {
    const sizes = [1, 10, 100, 1_000].map((count) => weighed(asks('google_business', 'kickbox', count), 1));
    for (const host of ['google_business', null] as const) {
      const rising = sizes.map((tables) => sizeOf(tables, 'kickbox', host));
      expect(rising).toEqual([...rising].sort((one, other) => one - other));
      expect(new Set(rising).size).toBe(rising.length);
    }
  });

  it('is at a host as sure as the row over all and the tie to it, and what was seen there', () => {
    const [host, verdict, silent] = ['google_business', 'deliverable', 50] as const;
    const tables = weighed([{ host, answers: [{ provider: 'kickbox', verdict }], silent }], 2);
    const table = SEED.providers.kickbox.anyHost;
    const rateOf = (answer: (typeof ANSWERS)[number], at: number): number =>
      (table[answer][at] ?? Number.NaN) / totalOf(table[answer]);
    const masses = SEED.prior[host].map(({ answer, alpha }) => ({ answer, mass: alpha * rateOf(answer, 0) }));
    const total = masses.reduce((sum, { mass }) => sum + mass, 0);
    for (const answer of ANSWERS) {
      const seen = masses
        .filter((cell) => cell.answer === answer)
        .reduce((sum, { mass }) => sum + silent * (mass / total) ** 2, 0);
      const known = 2 * totalOf(table[answer]) + (seen * POOLING_STRENGTH) / (POOLING_STRENGTH + seen);
      expect(isNear(sizeOf(tables, 'kickbox', null, answer), inSeries(known, POOLING_STRENGTH))).toBe(true);
      const widths = VERDICTS.map((_, at) => {
        const rate = rateOf(answer, at);
        return rate / (rate * inSeries(known, POOLING_STRENGTH) + (at === 0 ? seen : 0));
      });
      expect(
        isNear(
          sizeOf(tables, 'kickbox', host, answer),
          VERDICTS.length / widths.reduce((sum, width) => sum + width, 0),
        ),
      ).toBe(true);
    }
  });

  it('is surer for what was seen at other hosts, unless the table has it apart', () => {
    const here = (id: ProviderId): Traces[] => asks('google_consumer', id, 1);
    const elsewhere = (id: ProviderId): Traces[] => asks('microsoft_business', id, 300);
    const gain = (id: ProviderId): number =>
      sizeOf(weighed([...here(id), ...elsewhere(id)], 1), id, 'google_consumer') -
      sizeOf(weighed(here(id), 1), id, 'google_consumer');
    expect(gain('kickbox')).toBeGreaterThan(5);
    expect(SEED.providers.hunter.hosts.google_consumer).toBeDefined();
    expect(Math.abs(gain('hunter'))).toBeLessThan(0.01);
  });

  it('says over all hosts and at each host what the fit found', () => {
    const found = fit(SEED, drawnAccount(7, 200), 1);
    const { providers, prior } = fittedTables(SEED, found, 1);
    PROVIDER_IDS.forEach((id, provider) => {
      ANSWERS.forEach((answer, at) => {
        const row = providers[id].anyHost[answer];
        row.forEach((count, verdict) => {
          const place = (provider * VERDICTS.length + verdict) * ANSWERS.length + at;
          expect(isNear(count / totalOf(row), found.anyHost[place] ?? Number.NaN)).toBe(true);
        });
      });
    });
    for (const [host, { rates }] of found.hosts)
      prior[host].forEach(({ bounced, landed }, cell) => {
        expect(isNear(bounced / (bounced + landed), rates.bounceRates[cell] ?? Number.NaN)).toBe(true);
      });
  });
});
