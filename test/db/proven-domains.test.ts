import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, it } from 'vitest';
import type { OutcomeRecord } from '../../src/domain/feedback/outcomes.ts';
import type { TraceRecord } from '../../src/domain/traces/traces.ts';
import { DAY_MS, HOUR_MS } from '../../src/kernel/clock.ts';
import { type Id, newId, siblingId } from '../../src/kernel/ids.ts';
import { findProvenDomains } from '../../src/services/nightly/learnt-domains.ts';
import { upsertOutcomes } from '../../src/storage/postgres/feedback.ts';
import { listProvenDomains, listProvingOrganisations } from '../../src/storage/postgres/lists.ts';
import { upsertOrganisations } from '../../src/storage/postgres/organisations.ts';
import { openTestDatabase } from '../support/database.ts';
import { START_MS, settingsRecord, traceRecord } from '../support/records.ts';
import { writeTraces } from '../support/write-traces.ts';

const { db, close } = await openTestDatabase();
afterAll(close);

interface Person {
  readonly trace?: Partial<TraceRecord>;
  readonly outcome?: OutcomeRecord['outcome'];
  /** What the address did last, and how long after it was verified. */
  readonly metric?: string;
  readonly afterMs?: number;
}

let people = 0;

/** One address of the organisation: verified, mailed, and its later action. */
async function meet(
  organisationId: Id<'org'>,
  domain: string,
  { trace: change = {}, outcome = 'delivered', metric = 'activated', afterMs = HOUR_MS }: Person = {},
): Promise<void> {
  people += 1;
  const addressHash = people.toString(16).padStart(64, '0');
  const trace = traceRecord({ organisationId, domain, addressHash, mode: 'live', emailType: 'business', ...change });
  await writeTraces(db, [trace]);
  const report: OutcomeRecord = {
    id: newId('oc', START_MS),
    organisationId,
    mode: 'live',
    reportedAt: START_MS,
    traceId: trace.verificationId ?? trace.id,
    keyId: trace.keyId,
    outcome,
    class: null,
    unread: false,
    basicCode: null,
    enhancedCode: null,
  };
  await upsertOutcomes(db, [JSON.stringify(report)]);
  await db.execute(sql`insert into address_event (organisation_id, address_hash, metric, last_at)
    values (${organisationId}, decode(${addressHash}, 'hex'), ${metric}, ${trace.createdAt + afterMs})`);
}

const provenOf = (id: Id<'org'>) => listProvenDomains(db, id, { sinceMs: START_MS - DAY_MS, limit: 100 });
const newOrganisation = () => newId('org', START_MS);

describe('the proven domains of an organisation', () => {
  it('are those whose people took mail and came back or paid', async () => {
    const id = newOrganisation();
    for (const metric of ['activated', 'subscribed', 'upgraded']) await meet(id, `${metric}.com`, { metric });
    const dc = newId('dc', START_MS);
    await meet(id, 'decided.com', { trace: { id: dc, kind: 'decide', verificationId: siblingId('vr', dc) } });
    expect(await provenOf(id)).toEqual(['activated.com', 'decided.com', 'subscribed.com', 'upgraded.com']);
    expect(await provenOf(newOrganisation())).toEqual([]);
  });

  it.each<[string, Person]>([
    ['mail that bounced', { outcome: 'hard_bounce' }],
    ['a signup alone', { metric: 'signup_completed' }],
    ['a complaint of fraud', { metric: 'fraud_flag' }],
    ['what happened before the verification', { afterMs: -HOUR_MS }],
    ['what happened long ago', { trace: { createdAt: START_MS - 9 * DAY_MS } }],
    ['a test key', { trace: { mode: 'test' } }],
    ['a free provider', { trace: { emailType: 'free' } }],
  ])('are not shown by %s', async (_, person) => {
    const id = newOrganisation();
    await meet(id, 'x.com', person);
    expect(await provenOf(id)).toEqual([]);
  });
});

it('a domain is proven by people at three organisations, not by many people at two', async () => {
  const organisations = Array.from({ length: 3 }, () => settingsRecord());
  await upsertOrganisations(db, organisations);
  for (const [place, { id }] of organisations.entries()) {
    await meet(id, 'everywhere.com');
    await meet(id, 'of-no-list.com');
    if (place === 2) continue;
    await meet(id, 'at-two.com');
    await meet(id, 'at-two.com');
  }
  const asked: string[] = [];
  const matters = (domain: string): boolean => asked.push(domain) > 0 && domain !== 'of-no-list.com';
  const now = () => START_MS;
  expect(await findProvenDomains(db, now, START_MS, matters)).toEqual({ domains: ['everywhere.com'], isWhole: true });
  expect(asked).toContain('at-two.com');
});

it('organisations without such people are found by one query, and the search ends when its time is over', async () => {
  const [proving, signingUp, silent] = [newOrganisation(), newOrganisation(), newOrganisation()];
  await meet(proving, 'x.com');
  await meet(signingUp, 'x.com', { metric: 'signup_completed' });
  const since = START_MS - DAY_MS;
  expect(await listProvingOrganisations(db, [silent, proving, signingUp], since)).toEqual([proving]);
  expect(await listProvingOrganisations(db, [proving], START_MS + DAY_MS)).toEqual([]);
  const times = [START_MS, START_MS + HOUR_MS];
  const now = () => times.shift() ?? START_MS + HOUR_MS;
  expect(await findProvenDomains(db, now, START_MS, () => true)).toEqual({ domains: [], isWhole: false });
});
