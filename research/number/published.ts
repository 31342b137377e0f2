import type { Purpose } from '../../src/contract/vocabulary.ts';
import type { HostClass } from '../../src/domain/belief/host-class.ts';
import { MODEL, rowsAt, tablesAt } from '../../src/domain/belief/model.ts';
import type { ProviderVerdict } from '../../src/domain/belief/provider.ts';
import { totalOf, VERDICTS } from '../../src/domain/belief/provider-table.ts';
import { BUSINESS_SHARES, CONSUMER_SHARES } from '../population/population.ts';
import { newDomain, personAt, Scene } from './scene.ts';

/** A published aggregate beside what the model says about the same. */
export interface Published {
  readonly what: string;
  readonly source: string;
  readonly published: number;
  readonly ours: number;
}

type Shares = readonly (readonly [HostClass, number])[];
/** Published lists do not say where their addresses are: half of ours are at companies. */
const HALF: Shares = [...BUSINESS_SHARES, ...CONSUMER_SHARES].map(([host, share]) => [host, share / 2]);

const over = (shares: Shares, of: (host: HostClass) => number): number => {
  const total = shares.reduce((sum, [, share]) => sum + share, 0);
  return shares.reduce((sum, [host, share]) => sum + (share / total) * of(host), 0);
};

const stranger =
  (purpose: Purpose) =>
  (host: HostClass): number =>
    new Scene().answer(personAt(host), purpose, false).p;

const told =
  (purpose: Purpose, verdict: ProviderVerdict) =>
  (host: HostClass): number => {
    const [scene, person] = [new Scene(), personAt(host)];
    scene.told(person, purpose, 'zerobounce', verdict);
    return scene.answer(person, purpose, false).p;
  };

/** P(bounces a year after it landed), by the chain alone. */
const lostInAYear = (host: HostClass): number => {
  const { kinds, recovery } = tablesAt(MODEL, host);
  return kinds.reduce((sum, { share, churn }) => {
    const both = churn + recovery;
    return sum + share * (churn / both) * (1 - Math.exp(-both));
  }, 0);
};

const atCatchAll = (host: HostClass): number => {
  const [scene, domain] = [new Scene(), newDomain(host)];
  for (let one = 0; one < 4; one += 1) scene.told(personAt(host, domain), 'outbound', 'kickbox', 'catch_all');
  return scene.answer(personAt(host, domain), 'outbound', false).p;
};

/** Share of ZeroBounce's answers with this verdict, over a host's cells. */
const saysShare =
  (verdict: ProviderVerdict) =>
  (host: HostClass): number => {
    const [cells, rows] = [MODEL.prior[host], rowsAt(MODEL, 'zerobounce', host)];
    const total = cells.reduce((sum, { alpha }) => sum + alpha, 0);
    const column = VERDICTS.indexOf(verdict);
    return cells.reduce(
      (sum, { alpha, answer }) => sum + (alpha / total) * ((rows[answer][column] ?? 0) / totalOf(rows[answer])),
      0,
    );
  };

export const published = (): Published[] => [
  { what: 'sign-ups that bounce', source: 'Mozilla', published: 0.07, ours: over(HALF, stranger('signup')) },
  {
    what: 'cold mail, verified before',
    source: '14 M sends',
    published: 0.008,
    ours: over(BUSINESS_SHARES, told('outbound', 'deliverable')),
  },
  {
    what: 'cold mail, scraped',
    source: '14 M sends',
    published: 0.067,
    ours: over(BUSINESS_SHARES, stranger('outbound')),
  },
  {
    what: 'lists to be cleaned, invalid',
    source: 'ZeroBounce 2025, 11 bn',
    published: 0.235,
    ours: over(HALF, stranger('list_hygiene')),
  },
  {
    what: 'said deliverable, outbound: vendors’ guarantee',
    source: 'ZeroBounce, DeBounce',
    published: 0.015,
    ours: over(HALF, told('outbound', 'deliverable')),
  },
  {
    what: 'catch-all companies, cold mail',
    source: 'Superkabe, 8 to 15 %',
    published: 0.11,
    ours: over(BUSINESS_SHARES, atCatchAll),
  },
  {
    what: 'lost in a year: companies',
    source: 'NeverBounce 2018, 40 M',
    published: 0.21,
    ours: over(BUSINESS_SHARES, lostInAYear),
  },
  {
    what: 'lost in a year: consumers',
    source: 'NeverBounce 2018, 40 M',
    published: 0.032,
    ours: over(CONSUMER_SHARES, lostInAYear),
  },
  {
    what: 'real people who do not confirm',
    source: 'Mozilla',
    published: 0.3,
    ours: 1 - MODEL.evidence.proofs.confirmed.lands,
  },
  {
    what: 'answers that decide nothing',
    source: 'ZeroBounce 2025; retried for 30 s',
    published: 0.04,
    ours: over(HALF, saysShare('unknown')),
  },
];
