import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fewOfEachDomain } from '../../../src/domain/calibration/few-of-each-domain.ts';
import type { PreparedRow } from '../../../src/domain/calibration/row-counts.ts';
import type { HostClass } from '../../../src/domain/verification/host-class.ts';
import { START_MS } from '../../support/records.ts';

const COMPANIES = ['acme.test', 'bolt.test'];
const HOST_OF: Readonly<Record<string, HostClass>> = {
  'acme.test': 'google_business',
  'bolt.test': 'unknown_business',
  'mail.test': 'google_consumer',
  'relay.test': 'relay',
};

interface Drawn {
  readonly domain: string;
  readonly isTelling: boolean;
}
const anyDrawn = fc.array(fc.record({ domain: fc.constantFrom(...Object.keys(HOST_OF)), isTelling: fc.boolean() }), {
  maxLength: 60,
  size: 'max',
});

const preparedOf = ({ domain }: Drawn): PreparedRow => ({
  fold: 0,
  address: {
    firstSeenAt: START_MS,
    host: HOST_OF[domain] ?? 'relay',
    features: [],
    purpose: 'outbound',
    domain,
    list: null,
    answers: [],
    reports: [],
    proofs: [],
    part: null,
  },
  around: { domain: null, list: null },
  now: START_MS,
  allReports: [],
  domain: null,
  list: null,
});

/** Which of the rows are read, by their places. */
function placesOf(drawn: readonly Drawn[]): number[] {
  const rows = drawn.map(preparedOf);
  const read = fewOfEachDomain(rows, (row) => drawn[rows.indexOf(row)]?.isTelling === true);
  return read.map((row) => rows.indexOf(row));
}
const tellingAmong = (drawn: readonly Drawn[], places: readonly number[], domain: string): number[] =>
  places.filter((place) => drawn[place]?.domain === domain && drawn[place]?.isTelling);

describe('the rows that are read of an account', () => {
  it('stand in their order, each once', () => {
    fc.assert(
      fc.property(anyDrawn, (drawn) => {
        const places = placesOf(drawn);
        expect(places).toEqual([...new Set(places)].toSorted((one, other) => one - other));
      }),
    );
  });

  it('are all of domains where many people have their mailboxes', () => {
    fc.assert(
      fc.property(anyDrawn, (drawn) => {
        const places = placesOf(drawn);
        const shared = drawn.flatMap(({ domain }, place) => (COMPANIES.includes(domain) ? [] : [place]));
        expect(places).toEqual(expect.arrayContaining(shared));
      }),
    );
  });

  it('are the first four telling ones of a company, and what stands before the last of these', () => {
    fc.assert(
      fc.property(anyDrawn, fc.constantFrom(...COMPANIES), (drawn, domain) => {
        const all = tellingAmong(drawn, [...drawn.keys()], domain);
        const places = placesOf(drawn);
        expect(tellingAmong(drawn, places, domain)).toEqual(all.slice(0, 4));
        const end = all[3] ?? drawn.length - 1;
        const others = drawn.flatMap((row, place) => (row.domain === domain && place <= end ? [place] : []));
        expect(places.filter((place) => drawn[place]?.domain === domain)).toEqual(others);
      }),
    );
  });
});
