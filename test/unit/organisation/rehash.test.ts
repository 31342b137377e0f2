import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Observation } from '../../../src/domain/belief/facts.ts';
import { EFFECT_NAMES, type Groups } from '../../../src/domain/belief/groups.ts';
import { rowName } from '../../../src/domain/belief/names.ts';
import { sha256Hex } from '../../../src/kernel/crypto.ts';
import { newId } from '../../../src/kernel/ids.ts';
import type { Rehash } from '../../../src/organisation/api.ts';
import { erasedMark } from '../../../src/organisation/sql/bulk.ts';
import { listAddresses } from '../../../src/organisation/sql/history.ts';
import { putRehash } from '../../../src/organisation/sql/rehash.ts';
import { answer, contextOf, daysAgo, hashOf, NOW, observation } from '../../support/addresses.ts';
import { stubNeon } from '../../support/fake-neon.ts';
import { openHistory, report } from '../../support/open-history.ts';
import { createTestOrganisation } from '../../support/organisation.ts';
import { START_MS, traceRecord } from '../../support/records.ts';
import { rulesOf } from '../../support/rules.ts';

/** A text's row names under the old and the new secret. */
const was = (text: string): string => sha256Hex(`before ${text}`);
const now = (text: string): string => sha256Hex(`after ${text}`);
type Named = typeof was;

/** What was learned of many addresses at a few domains, by whatever they are named. */
const learnedOf = (named: Named): Observation[] =>
  Array.from({ length: 220 }, (_, place) =>
    observation({
      context: contextOf('', {
        address: rowName(named(`person ${place}`)),
        domain: rowName(named(`company ${place % 7}`)),
        list: hashOf(`list ${place % 3}`),
      }),
      ...(place % 3 === 0
        ? {
            answers: [answer({ verdict: place % 2 === 0 ? 'undeliverable' : 'deliverable', at: daysAgo(place % 200) })],
          }
        : { report: report({ class: 'delivered', of: `vr_${place}`, at: daysAgo(place % 200) }) }),
    }),
  );

const numbersOf = (groups: Groups): number[] =>
  EFFECT_NAMES.flatMap((name) => [groups[name]?.mean ?? 0, groups[name]?.varianceReduction ?? 0]);

function openLearned(named: Named = was) {
  const opened = openHistory();
  opened.history.learn(learnedOf(named), NOW);
  const { history, storage } = opened;
  return {
    ...opened,
    /** What is known of a stranger at a company, by whatever that is named. */
    strangerAt: (company: string, of: Named) =>
      numbersOf(opened.known(sha256Hex('nobody'), { domain: rowName(of(company)), list: hashOf('list 1') }).groups),
    rename: (text: string) => {
      putRehash(storage.sql, was(text), now(text), NOW, 0);
      history.rehash(rowName(was(text)), rowName(now(text)), NOW);
    },
    rehashDomain: (text: string) => {
      putRehash(storage.sql, was(text), now(text), NOW, 0);
      history.rehashDomain(rowName(was(text)), rowName(now(text)));
    },
  };
}
type Learned = ReturnType<typeof openLearned>;

const COMPANIES = Array.from({ length: 7 }, (_, place) => `company ${place}`);
const renameAll = ({ rename, rehashDomain }: Learned): void => {
  for (const company of COMPANIES) rehashDomain(company);
  for (let place = 0; place < 220; place += 1) rename(`person ${place}`);
};

describe('a history whose addresses are named anew', () => {
  const fresh = openLearned(now);
  fresh.recompute();
  const expected = COMPANIES.map((company) => fresh.strangerAt(company, now));

  it('gives, recomputed, the same result as one that always had the new names', () => {
    const opened = openLearned();
    renameAll(opened);
    opened.recompute();
    expect(COMPANIES.map((company) => opened.strangerAt(company, now))).toEqual(expected);
    const rows = (of: Learned) => listAddresses(of.storage.sql, 1, null, 1_000);
    expect(rows(opened)).toEqual(rows(fresh));
  });

  it.each([1, 2])('meanwhile too: after %i steps of a recomputation', (steps) => {
    const opened = openLearned();
    for (let step = 0; step < steps; step += 1) expect(opened.history.recomputeOn(NOW)).toBe(false);
    renameAll(opened);
    while (!opened.history.recomputeOn(NOW));
    for (const [place, company] of COMPANIES.entries())
      for (const [at, value] of opened.strangerAt(company, now).entries())
        expect(Math.abs(value - (expected[place]?.[at] ?? 0))).toBeLessThan(0.5);
    expect(opened.history.isChanged).toBe(true);
    opened.recompute();
    expect(COMPANIES.map((company) => opened.strangerAt(company, now))).toEqual(expected);
  });

  it('tells of a domain what its addresses have shown, although none of them was seen again', () => {
    const opened = openLearned();
    const before = opened.strangerAt('company 1', was);
    expect(before.some((value) => value !== 0)).toBe(true);
    opened.rehashDomain('company 1');
    expect(opened.strangerAt('company 1', now)).toEqual(before);
    opened.recompute();
    opened.strangerAt('company 1', now).forEach((value, at) => expect(value).toBeCloseTo(before[at] ?? 0, 0));
    const domains = listAddresses(opened.storage.sql, 1, null, 1_000).map(({ facts }) => facts.domain);
    expect([domains.includes(rowName(was('company 1'))), domains.includes(rowName(now('company 1')))]).toEqual([
      false,
      true,
    ]);
  });

  it('joins what came under both names of an address', () => {
    const opened = openHistory();
    const { history, storage } = opened;
    const of = (name: string, change: Partial<Observation>) =>
      observation({ context: contextOf('', { address: rowName(name) }), ...change });
    const told = report({ at: daysAgo(9) });
    history.learn([of(was('ada'), { answers: [answer({ at: daysAgo(20) })], report: told })], NOW);
    const later = report({ of: 'vr_2', class: 'delivered' });
    history.learn([of(now('ada'), { report: told, proof: { class: 'paid', at: NOW } })], NOW);
    history.learn([of(now('ada'), { report: later })], NOW);
    putRehash(storage.sql, was('ada'), now('ada'), NOW, 0);
    history.rehash(rowName(was('ada')), rowName(now('ada')), NOW);
    const [row, ...others] = listAddresses(storage.sql, 0, null, 10);
    expect(others).toEqual([]);
    expect(row?.facts).toMatchObject({
      answers: [{ at: daysAgo(20) }],
      reports: [{ class: 'user_unknown' }, { class: 'delivered' }],
      proofs: [{ class: 'paid' }],
    });
  });
});

describe('an object that is told of new names', () => {
  beforeEach(() => void vi.useFakeTimers({ now: START_MS }));
  afterEach(() => {
    vi.unstubAllGlobals();
  });
  const ADA: Rehash = { hash: now('ada'), earlier: [was('ada')], isDomain: false };

  async function open() {
    const neon = stubNeon();
    const organisation = await createTestOrganisation();
    await organisation.object.flush(null);
    neon.statements.length = 0;
    const { object, storage } = organisation;
    const traced = (hash: string) => {
      const id = newId('vr', Date.now());
      vi.setSystemTime(Date.now() + 1);
      const record = JSON.stringify(traceRecord({ id, addressHash: hash }));
      return organisation.commit(id, { trace: { kind: 'trace', id, record, addressHash: hash } });
    };
    const tell = () => object.callRehashed([ADA], 'usage', []);
    const rules = rulesOf(organisation);
    const rows = (table: string) => storage.sql.exec(`select * from ${table}`).toArray();
    return { ...organisation, object, neon, traced, tell, rules, rows };
  }

  it('does what the call asks, and answers it', async () => {
    const { object, tell, dump } = await open();
    expect(await tell()).toEqual(await object.usage());
    const before = dump();
    await tell();
    expect(dump()).toEqual(before);
  });

  it('writes what waits, and what comes late, under the new name', async () => {
    const { object, traced, tell, neon } = await open();
    await traced(was('ada'));
    await tell();
    await traced(was('ada'));
    await object.flush(null);
    const { statements } = neon;
    const told = statements.filter(({ table }) => table === 'trace').map(({ values }) => values);
    expect(told.length).toBeGreaterThan(0);
    expect([told.join().split(now('ada')).length - 1, told.join().includes(was('ada'))]).toEqual([2, false]);
    expect(statements.filter(({ values }) => values.includes(was('ada')))).toMatchObject([{ table: 'segment_day' }]);
  });

  it('enters what is learned of a trace of before under the new name', async () => {
    const { object, tell, storage } = await open();
    await tell();
    const context = contextOf('', { address: rowName(was('ada')) });
    await object.restoreHistory({ observations: [observation({ context, report: report({ at: Date.now() }) })] });
    expect(listAddresses(storage.sql, 0, null, 10).map(({ name }) => name)).toEqual([rowName(now('ada'))]);
  });

  it('takes a rule for the address by its name of before: as a trace has it', async () => {
    const { tell, rules } = await open();
    await tell();
    const kind = { kind: 'address' } as const;
    await rules.add('block', [{ key: was('ada'), display: 'a•••@acme.test' }], kind);
    expect(await rules.keys('block', 'address')).toEqual([now('ada')]);
    expect(await rules.remove('block', [was('ada')], 'key', 'address')).toMatchObject({ removed: 1, total: 0 });
  });

  it.each([
    ['block', 'allow'],
    ['allow', 'block'],
  ] as const)('keeps of two rules the newer one: first %s, then %s', async (first, second) => {
    for (const [older, newer] of [
      [was('ada'), now('ada')],
      [now('ada'), was('ada')],
    ] as const) {
      const { tell, rules } = await open();
      await rules.add(first, [{ key: older, display: 'a•••' }], { kind: 'address' });
      await rules.add(second, [{ key: newer, display: 'a•••' }], { kind: 'address' });
      await tell();
      expect([await rules.keys(first, 'address'), await rules.keys(second, 'address')]).toEqual([[], [now('ada')]]);
    }
  });

  it('has an erasure under way, and the mark of one, count for the new name too', async () => {
    const { storage, tell, rows } = await open();
    storage.sql.exec('insert into erasure values (?, 1, 1)', was('ada'));
    storage.sql.exec('insert into erased_mark values (?, 1)', erasedMark(rowName(was('ada'))));
    await tell();
    expect(rows('erasure').map((row) => row['address_hash'])).toEqual([was('ada'), now('ada')].toSorted());
    expect(rows('erased_mark').map((row) => row['mark'])).toContain(erasedMark(rowName(now('ada'))));
  });

  it('changes all of it, or nothing where a part fails', async () => {
    const { object, rules, storage, dump } = await open();
    await rules.add('block', [{ key: was('ada'), display: 'a•••' }], { kind: 'address' });
    const before = dump();
    const broken = { ...ADA, hash: now('ada'), earlier: [was('ada'), null as unknown as string] };
    await expect(object.callRehashed([broken], 'usage', [])).rejects.toThrow(/null/);
    expect(dump()).toEqual(before);
    expect(storage.sql.exec('select * from rehash').toArray()).toEqual([]);
  });
});
