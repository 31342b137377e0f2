import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { type FakeNeon, stubNeon } from '../../support/fake-neon.ts';
import { createTestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';

let neon: FakeNeon;
beforeEach(() => {
  vi.useFakeTimers({ now: START_MS, toFake: ['Date'] });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  neon = stubNeon();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const TARGET = 'org_1';
const isAudit = ({ table }: { readonly table: string }): boolean => table === 'audit_line';

/** An organisation whose log is in Postgres. */
async function createWritten() {
  const organisation = await createTestOrganisation();
  const { storage } = organisation;
  const pass = async (ms: number) => {
    vi.setSystemTime(Date.now() + ms);
    await organisation.object.tick();
  };
  const note = (summary: string) =>
    organisation.object.noteAudit({
      note: { actor: 'operator', action: 'connection.created', target: TARGET, summary },
    });
  const unwritten = () => storage.sql.exec('select * from audit where written = 0').toArray().length;
  await pass(10 * SECOND_MS);
  expect(unwritten()).toBe(0);
  neon.statements.length = 0;
  return { organisation, pass, note, unwritten };
}

describe('the audit log on its way to Postgres', () => {
  it('is written a moment after a change, each line once', async () => {
    const { note, pass } = await createWritten();
    await note('one');
    await note('two');
    await pass(10 * SECOND_MS);
    await pass(10 * SECOND_MS);
    const written = neon.statements.filter(isAudit);
    expect(written).toHaveLength(1);
    expect(written[0]?.values).toMatch(/one.*two/);
  });

  it('is written again where a line has counted on', async () => {
    const { organisation, pass, unwritten } = await createWritten();
    const add = (operationId: string, domain: string) =>
      organisation.object.addRules({
        operationId,
        kind: 'domain',
        rule: 'block',
        subjects: [{ key: domain, display: domain }],
        note: null,
        createdBy: 'key_1',
      } as never);
    await add('rq_1', 'a.example');
    await pass(10 * SECOND_MS);
    await add('rq_2', 'b.example');
    expect(unwritten()).toBe(1);
    await pass(10 * SECOND_MS);
    expect(neon.statements.filter(isAudit)).toHaveLength(2);
    expect(unwritten()).toBe(0);
  });

  it('waits while Postgres is away, and is taken up by an object that finds it without a timer', async () => {
    const { note, pass, unwritten, organisation } = await createWritten();
    neon.answer = () => 'down';
    await note('one');
    await pass(10 * SECOND_MS);
    expect(unwritten()).toBe(1);
    neon.answer = () => 'written';
    await pass(2 * MINUTE_MS);
    expect(unwritten()).toBe(0);
    await note('two');
    organisation.storage.sql.exec('delete from timer');
    organisation.evict();
    await organisation.object.tick();
    expect(unwritten()).toBe(0);
  });

  it('gets back what a lost object had, once, and writes nothing of it again', async () => {
    const { organisation, unwritten } = await createWritten();
    const lines = await organisation.object.listAudit({ limit: 10, before: null });
    const lost = await createWritten();
    const page = { lines: lines.map((line) => ({ ...line, entries: null })) } as const;
    for (let i = 0; i < 2; i += 1) await lost.organisation.object.restoreAudit(page);
    const restored = await lost.organisation.object.listAudit({ limit: 50, before: null });
    expect(restored).toHaveLength(2 * lines.length);
    expect([unwritten(), lost.unwritten()]).toEqual([0, 0]);
  });
});
