import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { eraseEach } from '../../../src/services/erasure.ts';
import { connectDatabase } from '../../../src/storage/postgres/client.ts';
import { type FakeNeon, stubNeon } from '../../support/fake-neon.ts';
import { START_MS } from '../../support/records.ts';

const db = connectDatabase({ url: 'postgresql://user:password@db.localhost/main', httpUrl: null });
const hashed = (hash: string) => ({ organisationId: newId('org', START_MS), hash });

let neon: FakeNeon;
beforeEach(() => {
  neon = stubNeon();
});

describe('erasing an address in many organisations', () => {
  it('is done in all others where a statement of one takes too long', async () => {
    const [small, large, other] = [hashed('aa'), hashed('large'), hashed('cc')];
    // No id has an `l`.
    neon.answer = ({ values }) => (values.includes('large') ? 'down' : 'written');
    const { hashes } = await eraseEach(db, [small, large, other]);
    expect([...hashes]).toEqual([small, other]);
  });

  it('stops asking a Postgres that is away', async () => {
    neon.answer = () => 'down';
    const { hashes } = await eraseEach(
      db,
      Array.from({ length: 100 }, () => hashed('aa')),
    );
    expect(hashes.size).toBe(0);
    // The first statement, and whether it answers at all.
    expect(neon.statements).toHaveLength(2);
  });

  it('takes the statements of one organisation where none fails', async () => {
    const all = [hashed('aa'), hashed('bb')];
    const { hashes } = await eraseEach(db, all);
    expect(hashes.size).toBe(2);
    const ofTwo = neon.statements.length;
    await eraseEach(db, all.slice(1));
    expect(neon.statements).toHaveLength(2 * ofTwo);
  });
});
