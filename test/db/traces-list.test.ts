import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TraceRecord } from '../../src/domain/traces/traces.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { newId } from '../../src/kernel/ids.ts';
import { upsertKeys } from '../../src/storage/postgres/projected-records.ts';
import type { TraceFacets } from '../../src/storage/postgres/record-schema.ts';
import { listTraces, type TraceFilter } from '../../src/storage/postgres/trace-lists.ts';
import { openTestDatabase } from '../support/database.ts';
import { keyRecord, START_MS, traceRecord } from '../support/records.ts';
import { writeTraces } from '../support/write-traces.ts';

const { db, close } = await openTestDatabase();
afterAll(close);

const [mine, theirs] = [newId('org', START_MS), newId('org', START_MS)];
const labelled = { ...keyRecord({ name: 'checkout', origin: 'service' }), organisationId: mine };
const [unlabelled, tests, foreign] = [newId('key', START_MS), newId('key', START_MS), newId('key', START_MS)];
const [job, resumed, foreignJob] = [newId('bj', START_MS), newId('bj', START_MS), newId('bj', START_MS)];

const WRITERS: readonly Partial<TraceRecord>[] = [
  { organisationId: mine, keyId: labelled.id },
  { organisationId: mine, keyId: unlabelled },
  { organisationId: mine, keyId: null },
  { organisationId: mine, keyId: labelled.id, kind: 'bulk', bulkJobId: job },
  { organisationId: mine, keyId: labelled.id, kind: 'bulk', bulkJobId: resumed },
  { organisationId: mine, keyId: unlabelled, kind: 'bulk', bulkJobId: resumed },
  { organisationId: mine, keyId: tests, mode: 'test' },
  { organisationId: theirs, keyId: foreign },
  { organisationId: theirs, keyId: foreign, kind: 'bulk', bulkJobId: foreignJob },
];

/** Three of each writer, 40 days apart: the oldest first, over four months. */
const RECORDS = [0, 1, 2].flatMap((turn) =>
  WRITERS.map((change, index) => {
    const ms = START_MS + turn * 40 * DAY_MS + index;
    return traceRecord({ ...change, id: newId('vr', ms), createdAt: ms });
  }),
);

beforeAll(async () => {
  await upsertKeys(db, [labelled]);
  await writeTraces(
    db,
    // In no order: what is listed is in the order of the ids, not of arrival.
    RECORDS.toSorted((a, b) => a.display.localeCompare(b.display) || b.id.slice(-4).localeCompare(a.id.slice(-4))),
  );
});

const FILTERS: readonly TraceFilter[] = (['live', 'test'] as const).flatMap((mode) =>
  [null, labelled.id, unlabelled, tests, foreign, newId('key', START_MS)].flatMap((keyId) =>
    [null, job, resumed, foreignJob, newId('bj', START_MS)].map((bulkJobId) => ({ mode, keyId, bulkJobId })),
  ),
);

const expected = ({ mode, keyId, bulkJobId }: TraceFilter) =>
  RECORDS.filter(
    (record) =>
      record.organisationId === mine &&
      record.mode === mode &&
      (keyId === null || record.keyId === keyId) &&
      (bulkJobId === null || record.bulkJobId === bulkJobId),
  )
    .toReversed()
    .map((record) => ({ ...record, detail: null }));

describe('listTraces', () => {
  it('shows under every filter the organisation’s rows that pass it, newest first, and no others', async () => {
    for (const filter of FILTERS) {
      const { traces: listed } = await listTraces(db, mine, filter, 100, null);
      expect(
        listed.map(({ record }) => record),
        JSON.stringify(filter),
      ).toEqual(expected(filter));
    }
  });

  it('has rows to show and rows to hide', () => {
    const counts = FILTERS.map((filter) => expected(filter).length);
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(5);
    expect(counts).toContain(0);
  });

  it.each([1, 2, 7])('pages by %i through every filter, each row once, across months', async (limit) => {
    for (const filter of FILTERS) {
      const seen: string[] = [];
      for (let before: TraceRecord['id'] | null = null; ;) {
        const { traces: page } = await listTraces(db, mine, filter, limit, before);
        seen.push(...page.map(({ record }) => record.id));
        before = page.at(-1)?.record.id ?? null;
        if (page.length < limit) break;
      }
      expect(seen, JSON.stringify(filter)).toEqual(expected(filter).map(({ id }) => id));
    }
  });

  it('labels a row with the key that wrote it, or with none when that is not known', async () => {
    const { traces: listed } = await listTraces(db, mine, { mode: 'live', keyId: null, bulkJobId: null }, 100, null);
    for (const { record, key } of listed) {
      expect(key?.name ?? null).toBe(record.keyId === labelled.id ? 'checkout' : null);
      expect(key?.origin ?? null).toBe(record.keyId === labelled.id ? 'service' : null);
    }
  });
});

describe('a list that is narrowed', () => {
  const faceted = newId('org', START_MS);
  const key = newId('key', START_MS);
  const VALUES = {
    domain: ['acme.example', 'rare.example'],
    reason: [undefined, 'no_mx'],
    decision: [undefined, 'deny'],
    emailType: ['business', 'disposable'],
    recommendation: ['send', 'drop'],
    verdict: ['likely_valid', 'invalid'],
    esp: ['hosted_suite_a', 'unknown'],
    kind: ['verify', 'decide'],
  } as const satisfies { readonly [F in keyof TraceFacets]: readonly TraceFacets[F][] };
  const NAMES = Object.keys(VALUES) as (keyof typeof VALUES)[];

  /** Each facet takes its rarer value from its own bit of the row's number. */
  const rows = Array.from({ length: 256 }, (_, number) => {
    const value = <F extends keyof typeof VALUES>(facet: F): TraceFacets[F] =>
      (VALUES[facet] as readonly TraceFacets[F][])[(number >> NAMES.indexOf(facet)) & 1];
    const decision = value('decision');
    const ms = START_MS + number;
    return traceRecord({
      organisationId: faceted,
      id: newId(value('kind') === 'decide' ? 'dc' : 'vr', ms),
      verificationId: null,
      createdAt: ms,
      kind: value('kind') ?? 'verify',
      keyId: number % 3 === 0 ? key : null,
      domain: value('domain') ?? '',
      reason: value('reason') ?? null,
      policyDecision: decision === undefined ? null : ({ decision } as TraceRecord['policyDecision']),
      emailType: value('emailType') ?? null,
      recommendation: value('recommendation') ?? 'send',
      verdict: value('verdict') ?? 'unknown',
      esp: value('esp') ?? 'unknown',
      addressHash: number % 7 === 0 ? 'ab'.repeat(32) : null,
    });
  });
  const passes = (record: TraceRecord, filter: TraceFilter): boolean => {
    const { domain, reason, decision, emailType, recommendation, verdict, esp, kind } = filter.facets ?? {};
    const pairs = [
      [domain, record.domain],
      [reason, record.reason],
      [decision, record.policyDecision?.decision],
      [emailType, record.emailType],
      [recommendation, record.recommendation],
      [verdict, record.verdict],
      [esp, record.esp],
      [kind, record.kind],
      [filter.keyId ?? undefined, record.keyId],
      [filter.addressHash ?? undefined, record.addressHash],
    ];
    return (
      pairs.every(([wanted, has]) => wanted === undefined || wanted === has) &&
      record.createdAt >= (filter.fromMs ?? 0) &&
      record.createdAt < (filter.toMs ?? Number.POSITIVE_INFINITY)
    );
  };
  const all: TraceFilter = { mode: 'live', keyId: null, bulkJobId: null };
  const single = NAMES.flatMap((facet) => VALUES[facet].map((value) => ({ ...all, facets: { [facet]: value } })));
  const narrowed: TraceFilter[] = [
    ...single,
    // Each with the rare value of the next: one that has an index, or none.
    ...single.map(({ facets }, place) => ({
      ...all,
      facets: { ...facets, ...single[(place + 3) % single.length]?.facets },
    })),
    ...single.map((filter) => ({ ...filter, keyId: key, fromMs: START_MS + 100, toMs: START_MS + 200 })),
    ...single.map((filter) => ({ ...filter, addressHash: 'ab'.repeat(32) })),
    { ...all, facets: Object.fromEntries(NAMES.map((facet) => [facet, VALUES[facet][1]])) },
  ];

  beforeAll(() => writeTraces(db, rows));

  it('has the rows that pass every filter, and no others', async () => {
    for (const filter of narrowed) {
      const { traces, examinedTo } = await listTraces(db, faceted, filter, 600, null);
      const wanted = rows.filter((record) => passes(record, filter)).toReversed();
      expect(
        traces.map(({ record }) => record.id),
        JSON.stringify(filter),
      ).toEqual(wanted.map(({ id }) => id));
      expect(examinedTo).toBeNull();
    }
  });

  it('shows no row of another organisation', async () => {
    for (const filter of narrowed)
      expect((await listTraces(db, newId('org', START_MS), filter, 600, null)).traces).toEqual([]);
  });
});
