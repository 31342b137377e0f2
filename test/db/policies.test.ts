import { afterAll, describe, expect, it } from 'vitest';
import type { PolicyVersion } from '../../src/domain/policy/document.ts';
import { newId } from '../../src/kernel/ids.ts';
import { deleteRowsOf } from '../../src/storage/postgres/erasure.ts';
import { insertPolicies, listProjectedPolicies } from '../../src/storage/postgres/projected-records.ts';
import { writeOutbox } from '../../src/storage/postgres/projection.ts';
import { openTestDatabase } from '../support/database.ts';
import { START_MS } from '../support/records.ts';

const { db, close } = await openTestDatabase();
afterAll(close);

const versionOf = (change: Partial<PolicyVersion> = {}): PolicyVersion => ({
  slug: 'default',
  version: 1,
  document: '{"name":"A"}',
  createdAt: START_MS,
  createdBy: 'u_1',
  ...change,
});

/** An organisation of the test's own with these versions. */
async function createWith(...versions: PolicyVersion[]) {
  const organisationId = newId('org', START_MS);
  await insertPolicies(
    db,
    versions.map((version) => ({ ...version, organisationId })),
  );
  return organisationId;
}

describe('the projection of policies', () => {
  it.each<[string, Partial<PolicyVersion>]>([
    ['as it is', {}],
    ['without an author', { createdBy: null }],
    ['with characters that no text of Postgres holds', { document: JSON.stringify({ name: 'a\u0000b\ud800' }) }],
    ['of 256 KB', { document: JSON.stringify({ name: 'ü'.repeat(128 * 1024) }) }],
  ])('keeps a version %s', async (_, change) => {
    const version = versionOf(change);
    expect(await listProjectedPolicies(db, await createWith(version), 10, null)).toEqual([version]);
  });

  it('never changes a version that is there', async () => {
    const organisationId = await createWith(versionOf());
    const record = JSON.stringify({ ...versionOf({ document: '{}' }), organisationId });
    const row = { seq: 1, kind: 'policy', id: 'default 1', record, at: START_MS } as const;
    expect(await writeOutbox(db, 'policy', [row, { ...row, seq: 2 }])).toBeNull();
    expect(await listProjectedPolicies(db, organisationId, 10, null)).toEqual([versionOf()]);
  });

  it('gives all versions of one organisation, each once, whatever the page', async () => {
    const versions = ['b', 'a'].flatMap((slug) => [10, 2, 1].map((version) => versionOf({ slug, version })));
    const organisationId = await createWith(...versions);
    await createWith(versionOf());
    const seen: PolicyVersion[] = [];
    for (let after: PolicyVersion | null = null; ;) {
      const page: PolicyVersion[] = await listProjectedPolicies(db, organisationId, 2, after);
      seen.push(...page);
      if (page.length < 2) break;
      after = page.at(-1) ?? null;
    }
    expect(seen.map(({ slug, version }) => `${slug} ${version}`)).toEqual(['a 1', 'a 2', 'a 10', 'b 1', 'b 2', 'b 10']);
  });

  it('goes with its organisation alone', async () => {
    const [mine, other] = [await createWith(versionOf()), await createWith(versionOf())];
    await deleteRowsOf(db, mine);
    expect(await listProjectedPolicies(db, mine, 10, null)).toEqual([]);
    expect(await listProjectedPolicies(db, other, 10, null)).toHaveLength(1);
  });
});
