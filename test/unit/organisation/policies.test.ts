import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_POLICY, type PolicyChange } from '../../../src/domain/policy/document.ts';
import type { PolicyDocument } from '../../../src/contract/policy.ts';
import { sha256Hex } from '../../../src/kernel/crypto.ts';
import { newId } from '../../../src/kernel/ids.ts';
import type { DecideRequest } from '../../../src/organisation/api.ts';
import { ensureDefaultPolicy } from '../../../src/organisation/policies.ts';
import { appendOutbox } from '../../../src/organisation/sql/organisation.ts';
import { createObjectStorage } from '../../support/object-storage.ts';
import { createTestOrganisation, startObject, type TestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';
import { authorizeRequest, decideRequest } from '../../support/requests.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});

let operations = 0;
const put = ({ object }: TestOrganisation, change: Partial<PolicyChange> = {}) => {
  operations += 1;
  const own = {
    operationId: `rq_${operations}`,
    slug: 'default',
    document: `{"n":${operations}}`,
    author: { actor: 'u_1' } as const,
  };
  return object.putPolicy({ ...own, expected: null, ...change });
};
const read = ({ object }: TestOrganisation, slug: string, version: number | null = null) =>
  object.readPolicy({ slug, version });
const projected = ({ dump }: TestOrganisation): string[] =>
  (dump().outbox as { kind: string; id: string }[]).filter(({ kind }) => kind === 'policy').map(({ id }) => id);

describe('the default policy', () => {
  it('is there from the start, and on its way to Postgres', async () => {
    const organisation = await createTestOrganisation();
    const policy = await read(organisation, 'default');
    expect(policy).toMatchObject({ version: 1, createdAt: organisation.settings.createdAt, createdBy: null });
    expect(JSON.parse(policy?.document ?? '')).toEqual(DEFAULT_POLICY);
    expect(projected(organisation)).toEqual(['default 1']);
  });

  it('comes where it is missing when the object starts, once', async () => {
    const organisation = await createTestOrganisation();
    organisation.storage.sql.exec('delete from policy');
    organisation.storage.sql.exec('delete from outbox');
    for (let i = 0; i < 2; i += 1) organisation.evict();
    expect(await read(organisation, 'default')).toMatchObject({ version: 1 });
    expect(projected(organisation)).toEqual(['default 1']);
  });

  it('does not come to an object without an organisation, and not back to a deleted one', async () => {
    const storage = createObjectStorage();
    startObject(storage);
    expect(storage.sql.exec('select * from policy').toArray()).toEqual([]);
    const organisation = await createTestOrganisation();
    await organisation.object.destroy();
    organisation.evict();
    expect(organisation.dump().policy).toEqual([]);
  });
});

type Saved = readonly [document: string, createdBy: string | null];

describe('a default policy that another has superseded', () => {
  const SUPERSEDED = '{"name":"Before","rules":[]}';

  /** Starts the object as a release with a new default policy does. */
  const start = ({ storage: { sql }, settings }: TestOrganisation) =>
    ensureDefaultPolicy(
      {
        sql,
        now: Date.now(),
        project: (kind, id, record) => appendOutbox(sql, kind, id, JSON.stringify(record), Date.now()),
      },
      settings.createdAt,
      [sha256Hex('{}'), sha256Hex(SUPERSEDED)],
    );

  /** `versions`: the documents of `default`, by who saved them. */
  async function begunWith(versions: readonly Saved[]) {
    const organisation = await createTestOrganisation();
    organisation.storage.sql.exec('delete from policy');
    organisation.storage.sql.exec('delete from outbox');
    for (const [place, [document, createdBy]] of versions.entries()) {
      const insert = 'insert into policy (slug, version, document, created_at, created_by) values (?, ?, ?, ?, ?)';
      organisation.storage.sql.exec(insert, 'default', place + 1, document, START_MS - 1_000, createdBy);
    }
    return organisation;
  }

  it('gets the current one as its next version if unchanged, once, and keeps the first', async () => {
    const organisation = await begunWith([[SUPERSEDED, null]]);
    for (let i = 0; i < 3; i += 1) start(organisation);
    const now = await read(organisation, 'default');
    expect(now).toMatchObject({ version: 2, createdAt: START_MS, createdBy: null });
    expect(JSON.parse(now?.document ?? '')).toEqual(DEFAULT_POLICY);
    expect(await read(organisation, 'default', 1)).toMatchObject({ document: SUPERSEDED });
    expect(projected(organisation)).toEqual(['default 2']);
  });

  it.each<readonly [string, readonly Saved[]]>([
    [
      'edited',
      [
        [SUPERSEDED, null],
        ['{"mine":true}', 'u_1'],
      ],
    ],
    [
      'put back by somebody',
      [
        [SUPERSEDED, null],
        ['{"mine":true}', 'u_1'],
        [SUPERSEDED, 'u_1'],
      ],
    ],
    ['none of those', [['{"later":true}', null]]],
  ])('stays as it is where it is %s', async (_, versions) => {
    const organisation = await begunWith(versions);
    for (let i = 0; i < 2; i += 1) start(organisation);
    expect(await read(organisation, 'default')).toMatchObject({ version: versions.length });
    expect(projected(organisation)).toEqual([]);
  });

  it('comes back from Postgres with the version that followed it, and gets no third', async () => {
    const organisation = await begunWith([]);
    const restored = { slug: 'default', createdAt: START_MS - 1_000, createdBy: null };
    const documents = [SUPERSEDED, JSON.stringify(DEFAULT_POLICY)];
    await organisation.object.restorePolicies(
      documents.map((document, place) => ({ ...restored, document, version: place + 1 })),
    );
    for (let i = 0; i < 2; i += 1) start(organisation);
    expect(await read(organisation, 'default')).toMatchObject({ version: 2, document: documents[1] });
  });

  it('is saved over at the version it has now: `If-Match` on the first is refused', async () => {
    const organisation = await begunWith([[SUPERSEDED, null]]);
    start(organisation);
    expect(await put(organisation, { expected: [1] })).toMatchObject({ refusal: 'conflict', inForce: 2 });
    expect(await put(organisation, { expected: [2] })).toMatchObject({ ok: true, saved: { version: 3 } });
  });
});

describe('putPolicy', () => {
  it('sent twice by our own transport makes one version and answers alike', async () => {
    const organisation = await createTestOrganisation();
    const change = { operationId: 'rq_same', document: '{"n":"same"}', expected: [1] };
    const first = await put(organisation, change);
    expect(first).toMatchObject({
      ok: true,
      saved: { version: 2, createdAt: START_MS, createdBy: 'u_1' },
    });
    expect(await put(organisation, change)).toEqual(first);
    expect(projected(organisation)).toEqual(['default 1', 'default 2']);
  });

  it('writes no version when it is refused', async () => {
    const organisation = await createTestOrganisation();
    expect(await put(organisation, { expected: [2] })).toEqual({ ok: false, refusal: 'conflict', inForce: 1 });
    expect(await put(organisation, { slug: 'new', expected: 'any' })).toEqual({
      ok: false,
      refusal: 'conflict',
      inForce: null,
    });
    expect(organisation.dump().policy).toHaveLength(1);
  });

  it('survives a restart, every version of it', async () => {
    const organisation = await createTestOrganisation();
    await put(organisation, { document: '{"v":2}' });
    organisation.evict();
    expect(await read(organisation, 'default', 2)).toMatchObject({ document: '{"v":2}' });
    expect(await read(organisation, 'default', 1)).toMatchObject({ version: 1 });
    expect(await read(organisation, 'default', 3)).toBeNull();
  });
});

describe('listPolicies', () => {
  it('gives as many as fit a message, and tells whether more come', async () => {
    const organisation = await createTestOrganisation();
    const document = JSON.stringify({ name: 'x'.repeat(1.5 * 2 ** 20) });
    for (const slug of ['a', 'b', 'c', 'd']) await put(organisation, { slug, document });
    const pages: string[][] = [];
    for (let before: string | null = null; ;) {
      const page = await organisation.object.listPolicies({ limit: 200, before });
      pages.push(page?.policies.map(({ slug }) => slug) ?? []);
      if (page === null || page.isLast) break;
      before = page.policies.at(-1)?.slug ?? null;
    }
    expect(pages).toEqual([
      ['default', 'd', 'c'],
      ['b', 'a'],
    ]);
  });
});

/** A decision of the organisation's member. */
async function decide(organisation: TestOrganisation, change: Partial<DecideRequest> = {}) {
  const { object, keys } = organisation;
  const traceId = newId('dc', Date.now());
  const authorize = authorizeRequest({ operationId: traceId, traceId, keyHash: keys.member.hash });
  const answer = await object.decide(decideRequest(authorize, change));
  if (!answer.ok) throw new Error(answer.refusal);
  return answer;
}

const WANTS_COMPANY: PolicyDocument = {
  name: 'x',
  rules: [{ id: 'big', when: { path: 'company.country', op: 'eq', value: 'DE' }, decision: 'review' }],
  default: 'allow',
};

describe('a decision', () => {
  it('is made, charged and kept in one trip when the verification alone decides', async () => {
    const organisation = await createTestOrganisation();
    const { concluded } = await decide(organisation);
    expect(concluded?.answer).toMatchObject({ decision: 'allow', policy: { slug: 'default', version: 1 } });
    const { trace_id: id, verification } = concluded?.answer ?? {};
    const rows = organisation.dump().operation as { record: string | null }[];
    const held = JSON.parse(rows.at(-1)?.record ?? 'null');
    expect(held).toMatchObject({ id, kind: 'decide', verificationId: verification?.trace_id });
    expect(held.policyDecision).toMatchObject({ decision: 'allow', policy: { slug: 'default', version: 1 } });
    expect((await organisation.usage()).calls.decide).toBe(1);
  });

  it('keeps no address and no correction of it', async () => {
    const organisation = await createTestOrganisation();
    const { concluded } = await decide(organisation);
    expect(JSON.stringify([concluded, organisation.dump()])).not.toMatch(/ada@example/);
  });

  it('follows the version in force at once', async () => {
    const organisation = await createTestOrganisation();
    await decide(organisation);
    await put(organisation, { document: JSON.stringify({ name: 'x', rules: [], default: 'deny', icp: null }) });
    expect((await decide(organisation)).concluded?.answer).toMatchObject({ decision: 'deny', policy: { version: 2 } });
  });

  it('is open while it waits for enrichment, with what the budget has left', async () => {
    const organisation = await createTestOrganisation({ enrichmentBudgetMicros: 500 });
    await put(organisation, { document: JSON.stringify({ ...WANTS_COMPANY, icp: null }) });
    expect(await decide(organisation)).toMatchObject({
      concluded: null,
      policy: { version: 2, enrichmentLeftMicros: 500 },
    });
  });

  it('brings the document where another version is known, of the same number too', async () => {
    const organisation = await createTestOrganisation();
    const sent = async (policyKnown: DecideRequest['policyKnown']) =>
      (await decide(organisation, { policyKnown })).policy;
    const first = await sent(null);
    expect(JSON.parse(first.document ?? '')).toEqual(DEFAULT_POLICY);
    const known = { version: 1, createdAt: first.createdAt };
    expect(await sent(known)).toEqual({ ...first, document: null });
    expect(await sent({ ...known, createdAt: known.createdAt - 1 })).toEqual(first);
    expect(await sent({ ...known, version: 2 })).toEqual(first);
  });

  it('is refused for a policy that does not exist, after key and role, and charges nothing', async () => {
    const organisation = await createTestOrganisation({ ratePerMinute: 4 });
    const asked = { meter: 'decide', policySlug: 'nowhere' } as const;
    const before = organisation.dump();
    expect(await organisation.authorize({ ...asked, keyHash: organisation.keys.viewer.hash })).toMatchObject({
      refusal: 'forbidden',
    });
    for (let i = 0; i < 4; i += 1)
      expect(await organisation.authorize(asked)).toMatchObject({ refusal: 'unknown_policy' });
    expect(await organisation.authorize(asked)).toMatchObject({ refusal: 'rate_limited' });
    expect({ ...organisation.dump(), meter: null }).toEqual({ ...before, meter: null });
    expect((await organisation.usage()).calls.decide).toBe(0);
  });
});

describe('restorePolicies', () => {
  it('never takes the place of a version that is there, and refuses a deleted organisation', async () => {
    const organisation = await createTestOrganisation();
    await put(organisation, { document: '{"mine":true}' });
    const restored = { slug: 'default', document: '{"theirs":true}', createdAt: 1, createdBy: null };
    await organisation.object.restorePolicies([2, 3].map((version) => ({ ...restored, version })));
    expect(await read(organisation, 'default', 2)).toMatchObject({ document: '{"mine":true}' });
    expect(await read(organisation, 'default')).toMatchObject({ version: 3, document: '{"theirs":true}' });
    await organisation.object.destroy();
    await expect(organisation.object.restorePolicies([])).rejects.toThrow('a deleted organisation stays deleted');
  });
});
