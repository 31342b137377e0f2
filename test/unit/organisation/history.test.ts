import v8 from 'node:v8';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { KnownAnswer } from '../../../src/domain/verification/answer.ts';
import type { DeliveryReport, Learnt, LevelUpdate } from '../../../src/domain/verification/history.ts';
import { DOMAIN_LEVELS, NO_LEVELS } from '../../../src/domain/verification/history.ts';
import {
  decodeAddress,
  decodeHistory,
  decodeLevels,
  encodeAddress,
} from '../../../src/domain/verification/history-codec.ts';
import { listOfCalls } from '../../../src/domain/verification/history-merge.ts';
import { levelUpdate } from '../../../src/domain/verification/level-update.ts';
import { SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import { OPEN_GATE } from '../../../src/domain/verification/report-gate.ts';
import { DAY_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { sha256Hex } from '../../../src/kernel/keyed-hash.ts';
import { History } from '../../../src/organisation/history.ts';
import { HistorySweep } from '../../../src/organisation/history-sweep.ts';
import { bringUpToDate } from '../../../src/organisation/migrations.ts';
import { OrganisationObjectBase } from '../../../src/organisation/object.ts';
import { PORT_VERSION } from '../../../src/organisation/ports.ts';
import { openObjectServices } from '../../../src/runtime/object-services.ts';
import { stubNeon } from '../../support/fake-neon.ts';
import { anyNews, COUNTED, FULLEST, hashOf, learnt, sight } from '../../support/histories.ts';
import { createObjectStorage, type ObjectStorage } from '../../support/object-storage.ts';
import { createTestOrganisation, OBJECT_ENV } from '../../support/organisation.ts';
import { START_MS, settingsRecord } from '../../support/records.ts';
import { seededRandom, seedOf } from '../../support/seeded-random.ts';

const NOW = START_MS - (START_MS % SECOND_MS);
const answer = (change: Partial<KnownAnswer> = {}): KnownAnswer => ({
  provider: 'kickbox',
  verdict: 'undeliverable',
  catch_all: null,
  at: NOW,
  ...change,
});
const report = (change: Partial<DeliveryReport> = {}): DeliveryReport => ({
  class: 'user_unknown',
  at: NOW,
  of: 'vr_1',
  source: 'key_1',
  ...change,
});
const BY_MODEL = levelUpdate(SEEDED_MODEL);
const ADA = sha256Hex('ada');
const PROBE = { domain: hashOf('acme.test'), list: hashOf('a list') };

function open(by: LevelUpdate = COUNTED, storage: ObjectStorage = createObjectStorage()) {
  bringUpToDate(storage.sql, (work) => storage.transactionSync(work));
  const history = new History(storage.sql, by);
  const known = (hash = ADA) => decodeHistory(history.known(hash, PROBE, 'key_1'));
  const rows = (table: string) => storage.sql.exec(`select * from ${table}`).toArray();
  return { storage, history, known, rows };
}
const at = (news: Partial<Learnt> & { readonly local?: string }): Learnt => {
  const { local = 'ada', ...rest } = news;
  return learnt({ sight: sight(local, { at: NOW }), ...rest });
};

describe('a sample for the fit', () => {
  it('has every address once, slice by slice, with the levels around it', () => {
    const { history } = open();
    const locals = Array.from({ length: 25 }, (_, place) => `person${place}`);
    for (const local of locals) history.learn(at({ local, answers: [answer()] }), NOW);
    const names: string[] = [];
    for (let after: string | null | undefined = null; after !== undefined; ) {
      const slice: ReturnType<History['sample']> = history.sample({ after, limit: 10 });
      names.push(...slice.addresses.map(({ name }) => name));
      expect(Object.keys(slice.domains)).toEqual(slice.addresses.length === 0 ? [] : [PROBE.domain]);
      expect(Object.keys(slice.lists)).toEqual(slice.addresses.length === 0 ? [] : [PROBE.list]);
      for (const { row } of slice.addresses) expect(decodeAddress(row)?.answers).toEqual([answer()]);
      after = slice.next ?? undefined;
    }
    expect(names.toSorted()).toEqual(locals.map(hashOf).toSorted());
  });
});

describe('what is learnt of an address', () => {
  it('comes back with its domain and list', () => {
    const { history, known } = open();
    expect(known()).toEqual({ address: null, domain: null, list: null });
    history.learn(at({ answers: [answer()], report: report() }), NOW);
    expect(known()).toMatchObject({
      address: { firstSeenAt: NOW, answers: [answer()], reports: [{ class: 'user_unknown', at: NOW }] },
      domain: { values: Float32Array.from({ length: 16 }, (_, place) => Number(place === 0)) },
      list: { values: Float32Array.from({ length: 11 }, (_, place) => Number(place === 0)) },
    });
  });

  it('is written once: a repeat and an answer that says nothing new write nothing', () => {
    const { history, rows } = open();
    const news = at({ answers: [answer()], report: report(), proof: { class: 'paid', at: NOW } });
    expect(history.learn(news, NOW)).toBe(true);
    const before = [rows('address_history'), rows('delivery_report')];
    expect(history.learn(news, NOW + 1)).toBe(false);
    expect(history.learn(at({ answers: [answer({ verdict: 'unknown', at: NOW + 5_000 })] }), NOW + 5_000)).toBe(false);
    expect([rows('address_history'), rows('delivery_report')]).toEqual(before);
  });

  it('is nothing where an address was only looked at', () => {
    const { history, rows } = open();
    expect(history.learn(at({}), NOW)).toBe(false);
    expect(rows('address_history')).toEqual([]);
  });

  it.each([
    ['400 days ago', NOW - 400 * DAY_MS],
    ['in the future', NOW + DAY_MS],
  ])('is no report and no proof of %s', (_, when) => {
    const { history, rows } = open();
    expect(history.learn(at({ report: report({ at: when }), proof: { class: 'paid', at: when } }), NOW)).toBe(false);
    expect([rows('address_history'), rows('delivery_report')]).toEqual([[], []]);
  });

  it('counts one report of each message, its last, whatever the order', () => {
    const { history, known, rows } = open();
    history.learn(at({ report: report({ class: 'delivered', at: NOW - 1_000 }) }), NOW);
    history.learn(at({ report: report({ class: 'user_unknown', at: NOW }) }), NOW);
    history.learn(at({ report: report({ class: 'soft', at: NOW - 2_000 }) }), NOW);
    expect(known().address?.reports).toMatchObject([{ class: 'user_unknown', at: NOW }]);
    expect(known().domain?.values.slice(0, 2)).toEqual(Float32Array.of(1, 0));
    expect(rows('delivery_report')).toHaveLength(1);
  });

  it('counts each message once among the reports of its source, host and day, whatever is reported of it later', () => {
    const { history, rows } = open();
    const tallies = () => rows('report_tally').map(({ delivered, refused }) => [delivered, refused]);
    history.learn(at({ report: report({ class: 'delivered', at: NOW }) }), NOW);
    history.learn(at({ report: report({ class: 'delivered', at: NOW }) }), NOW);
    expect(tallies()).toEqual([[1, 0]]);
    history.learn(at({ report: report({ class: 'user_unknown', at: NOW + 1_000 }) }), NOW + 1_000);
    history.learn(at({ report: report({ class: 'delivered', at: NOW - 1_000 }) }), NOW + 1_000);
    expect(tallies()).toEqual([[0, 1]]);
    history.learn(at({ local: 'bob', report: report({ class: 'soft', of: 'vr_2' }) }), NOW + 1_000);
    expect(tallies()).toEqual([[0, 1]]);
  });

  it('tells the levels how far its reports reach, also after a restart', () => {
    const storage = createObjectStorage();
    const deliver = (history: History, from: number) => {
      for (let place = from; place < from + 10; place += 1)
        history.learn(at({ local: `${place}`, report: report({ class: 'delivered', of: `vr_${place}` }) }), NOW);
    };
    const reaches: string[] = [];
    const by: LevelUpdate = {
      ...COUNTED,
      learn(address, around, now, seen, gate) {
        const [first] = address.reports;
        if (first !== undefined) reaches.push(gate?.reachOf(first, address, null, now) ?? '');
        return COUNTED.learn(address, around, now, seen);
      },
    };
    deliver(open(by, storage).history, 0);
    deliver(new History(storage.sql, by), 10);
    expect(reaches).toEqual([...Array.from({ length: 19 }, () => 'none'), 'all']);
  });

  it('forgets how many were reported 400 days ago', () => {
    const { history, rows } = open();
    history.learn(at({ report: report() }), NOW);
    const trim = (days: number) => history.trim({ after: null, before: 0 }, NOW + days * DAY_MS);
    trim(400);
    expect(rows('report_tally')).toHaveLength(1);
    trim(401);
    expect(rows('report_tally')).toEqual([]);
  });

  it('never overwrites a row that a later release has written', () => {
    const { history, storage, known } = open();
    history.learn(at({ answers: [answer()] }), NOW);
    storage.sql.exec("update address_history set state = x'02ff'");
    expect(history.learn(at({ answers: [answer({ provider: 'hunter' })] }), NOW)).toBe(false);
    expect(known().address).toBeNull();
    expect(
      new Uint8Array(
        storage.sql.exec<{ state: ArrayBuffer }>('select state from address_history').toArray()[0]?.state ??
          new ArrayBuffer(0),
      ),
    ).toEqual(Uint8Array.of(2, 255));
  });

  it('needs at most 600 bytes more in the answer of the authorisation', () => {
    const { history, storage } = open();
    storage.sql.exec(
      'insert into address_history values (?, ?)',
      new Uint8Array(Buffer.from(hashOf('ada'), 'hex')).buffer,
      encodeAddress(FULLEST),
    );
    history.learn(at({ local: 'bob', report: report() }), NOW);
    const rows = history.known(ADA, PROBE, 'key_1');
    expect(Object.values(rows).map((row: ArrayBuffer | null) => row?.byteLength)).toEqual([199, 75, 51]);
    expect(serialisedBytes({ history: rows })).toBeLessThanOrEqual(600);
  });
});

/** As the runtime sends it: structured clone. */
const serialisedBytes = (value: object): number => v8.serialize(value).byteLength;

describe('levels', () => {
  it('count each address once, as it is now', () => {
    const { history, known } = open();
    for (const local of ['ada', 'bob', 'cy']) history.learn(at({ local, report: report() }), NOW);
    history.learn(
      at({ local: 'bob', report: report({ class: 'delivered', of: 'vr_1', at: NOW + 1_000 }) }),
      NOW + 1_000,
    );
    expect(known().domain?.values.slice(0, 2)).toEqual(Float32Array.of(2, 1));
    expect(known().list?.values.slice(0, 2)).toEqual(Float32Array.of(2, 1));
  });

  it('reach their rows only when they are written', () => {
    const { history, rows } = open();
    history.learn(at({ report: report() }), NOW);
    expect([rows('domain_history'), rows('list_history')]).toEqual([[], []]);
    history.levels.write();
    expect([rows('domain_history'), rows('list_history')].map(({ length }) => length)).toEqual([1, 1]);
    expect(history.levels.isDirty).toBe(false);
  });

  it('are swept from the addresses, exactly, while addresses change between the steps', () => {
    const { history, storage } = open();
    // More than one step, in two domains; what was written before stays behind.
    for (let place = 0; place < 2_500; place += 1) {
      const domain = hashOf(place % 2 === 0 ? 'acme.test' : 'other.test');
      const of = sight(`a${place}`, { at: NOW, domain, purpose: 'outbound' });
      history.learn(at({ sight: of, report: report({ class: place % 5 === 0 ? 'user_unknown' : 'delivered' }) }), NOW);
      if (place === 1_000) history.levels.write();
    }
    const lost = open(COUNTED, storage);
    expect(lost.known().domain?.values[0]).toBeLessThan(250);
    let turn = 0;
    for (const when = NOW + 1_000; !lost.history.sweepOn(NOW); turn += 1) {
      for (const place of [turn * 10, 1_000 + turn * 10, 1_800 + turn * 10])
        lost.history.learn(
          at({
            sight: sight(`a${place}`, { at: NOW }),
            report: report({ class: 'delivered', of: `vr_${turn}`, at: when }),
          }),
          when,
        );
      lost.history.learn(at({ sight: sight(`new ${turn}`, { at: NOW, purpose: 'outbound' }), report: report() }), when);
      lost.history.forget(sha256Hex(`a${turn * 4}`), when);
    }
    expect(turn).toBeGreaterThan(40);
    expect(lost.history.isUnswept).toBe(true);
    const exact = [0, 0];
    for (const { state } of storage.sql.exec<{ state: ArrayBuffer }>('select state from address_history').toArray()) {
      const address = decodeAddress(state);
      if (address?.domain !== PROBE.domain) continue;
      for (const place of [0, 1]) exact[place] = (exact[place] ?? 0) + (address.part?.domain[place] ?? 0) / 256;
    }
    const relative = ([one = 0, other = 0]: ArrayLike<number> & Iterable<number>) => one - other;
    const found = (of: typeof lost) => relative(of.known().domain?.values.slice(0, 2) ?? new Float32Array());
    expect(found(lost)).toBeCloseTo(relative(exact), 2);
    lost.history.levels.write();
    expect(found(open(COUNTED, storage))).toBeCloseTo(relative(exact), 2);
  });

  it('that a sweep finds as they are, and parts that it does, are not written again', () => {
    const { history, storage, rows } = open(BY_MODEL);
    for (let place = 0; place < 600; place += 1)
      history.learn(at({ sight: sight(`a${place}`, { at: NOW, purpose: 'outbound' }), report: report() }), NOW);
    const sweep = (now: number): void => {
      while (!history.sweepOn(now)) continue;
    };
    sweep(NOW);
    const before = ['address_history', 'domain_history', 'list_history'].map(rows);
    const { exec } = storage.sql;
    const written: string[] = [];
    storage.sql.exec = (query, ...bindings) => {
      if (!query.startsWith('select')) written.push(query);
      return exec(query, ...bindings);
    };
    // What fades, fades in parts and levels alike.
    sweep(NOW + 30 * DAY_MS);
    expect(written).toEqual([]);
    expect(['address_history', 'domain_history', 'list_history'].map(rows)).toEqual(before);
    expect(history.isUnswept).toBe(false);
  });

  it('are the same in whatever order their addresses came, and however many domains are swept at once', () => {
    const news = Array.from({ length: 400 }, (_, place) => {
      const of = sight(`a${place}`, {
        at: NOW - (place % 90) * DAY_MS,
        domain: hashOf(`d${place % 30}`),
        list: hashOf(`l${place % 4}`),
        purpose: place % 3 === 0 ? 'signup' : 'outbound',
      });
      return at({ sight: of, report: report({ class: place % 7 < 3 ? 'user_unknown' : 'delivered', at: of.at }) });
    });
    const swept = (all: readonly Learnt[], domainsAtOnce?: number) => {
      const { history, storage, rows } = open(BY_MODEL);
      for (const each of all) history.learn(each, NOW);
      history.levels.write();
      const sweep = new HistorySweep(storage.sql, BY_MODEL, OPEN_GATE, history.levels, NOW, domainsAtOnce);
      while (!sweep.step()) continue;
      return [rows('domain_history'), rows('list_history')];
    };
    const [domains = [], lists = []] = swept(news);
    expect([domains.length, lists.length]).toEqual([30, 4]);
    for (const other of [swept(news.toReversed()), swept(news, 7)]) {
      const values = (all: readonly object[], count: 16 | 11) =>
        all.flatMap((row) => [...(decodeLevels((row as { state: ArrayBuffer }).state, count)?.values ?? [])]);
      for (const [one, two, count] of [[domains, other[0], 16] as const, [lists, other[1], 11] as const])
        values(two ?? [], count).forEach((value, place) =>
          expect(Math.abs(value - (values(one, count)[place] ?? Number.NaN))).toBeLessThan(0.01),
        );
    }
  });

  it('that were lost are added up again from the parts, exactly, while addresses change between the steps', () => {
    const { history, storage } = open();
    const whole = open();
    const both = (change: (to: History) => void): void => {
      change(history);
      change(whole.history);
    };
    for (let place = 0; place < 2_500; place += 1) {
      const domain = hashOf(place % 2 === 0 ? 'acme.test' : 'other.test');
      const of = sight(`a${place}`, { at: NOW, domain, purpose: 'outbound' });
      const news = at({ sight: of, report: report({ class: place % 5 === 0 ? 'user_unknown' : 'delivered' }) });
      both((to) => to.learn(news, NOW));
      if (place === 1_000) both((to) => to.levels.write());
      if (place % 400 === 0) both((to) => to.forget(sha256Hex(`a${place}`), NOW));
    }
    both((to) => to.levels.write());
    both((to) => to.learn(at({ local: 'newest', report: report() }), NOW));
    const lost = open(COUNTED, storage);
    lost.history.lost(NOW);
    const when = NOW + 1_000;
    let turn = 0;
    for (; !lost.history.recoverOn(NOW); turn += 1) {
      const also = (change: (to: History) => void): void => [lost.history, whole.history].forEach(change);
      for (const place of [turn * 10 + 1, 1_000 + turn * 10, 1_800 + turn * 10]) {
        const of = sight(`a${place}`, { at: NOW });
        also((to) =>
          to.learn(at({ sight: of, report: report({ class: 'delivered', of: `vr_${turn}`, at: when }) }), when),
        );
      }
      const news = sight(`new ${turn}`, { at: NOW, purpose: 'outbound' });
      also((to) => to.learn(at({ sight: news, report: report() }), when));
      also((to) => to.forget(sha256Hex(`a${turn * 4 + 2}`), when));
    }
    expect(turn).toBeGreaterThan(5);
    expect(lost.history.hasLost).toBe(false);
    const relative = (levels: ReturnType<typeof lost.known>['domain']) =>
      levels?.values.map((value) => value - (levels.values[1] ?? 0));
    for (const kind of ['domain', 'list'] as const)
      expect(relative(lost.known()[kind])).toEqual(relative(whole.known()[kind]));
    const found = lost.known();
    lost.history.levels.write();
    expect(open(COUNTED, storage).known()).toEqual(found);
  });

  it.each([1, 2, 3])(
    'that were lost are as they were, also what a sweep and erased addresses left beside the parts: world %i',
    (seed) => {
      const random = seededRandom(seedOf(seed, 20));
      const { history, storage } = open(BY_MODEL);
      const news = anyNews(random, 400, NOW);
      const tell = (from: number, to: number): void => {
        const some = news.slice(from * news.length, to * news.length);
        for (const each of some) history.learn(each, NOW);
      };
      const sweep = (): void => {
        while (!history.sweepOn(NOW)) continue;
      };
      tell(0, 0.5);
      sweep();
      tell(0.5, 0.7);
      sweep();
      tell(0.7, 0.8);
      for (let person = 0; person < 40; person += 1) history.forget(sha256Hex(`person ${person}`), NOW);
      history.levels.write();
      tell(0.8, 1);
      const lost = open(BY_MODEL, storage).history;
      lost.lost(NOW);
      while (!lost.recoverOn(NOW)) continue;
      for (const [kind, count] of [['domain', 16] as const, ['list', 11] as const]) {
        const names = storage.sql.exec<{ name: ArrayBuffer }>(`select name from ${kind}_history`).toArray();
        expect(names.length).toBeGreaterThan(3);
        for (const name of names.map((row) => Buffer.from(row.name).toString('hex'))) {
          const [before, after] = [history, lost].map(({ levels }) => {
            const row = levels.row(kind, name);
            return row && decodeLevels(row, count);
          });
          const { values, isReported, refused, delivered } = after ?? {};
          const { values: _, at: __, stoppedOn: ___, ...others } = before ?? {};
          expect({ isReported, refused, delivered }).toEqual(others);
          before?.values.forEach((value, place) =>
            expect(Math.abs(value - (values?.[place] ?? Number.NaN))).toBeLessThan(0.03),
          );
        }
      }
    },
  );

  it('that were lost still have the day on which a signup was refused', () => {
    const { history, storage, known } = open(BY_MODEL);
    history.learn(at({ answers: [answer()] }), NOW);
    const lost = open(BY_MODEL, storage);
    lost.history.lost(NOW);
    while (!lost.history.recoverOn(NOW)) continue;
    expect(known().domain?.stoppedOn).toBe(Math.floor(NOW / DAY_MS));
    expect(lost.known().domain?.stoppedOn).toBe(Math.floor(NOW / DAY_MS));
  });

  it('of which no address is left are gone after a sweep', () => {
    const { history, rows } = open(BY_MODEL);
    history.learn(at({ report: report() }), NOW);
    history.levels.write();
    history.trim({ after: null, before: NOW + 1 }, NOW);
    expect(history.isUnswept).toBe(true);
    while (!history.sweepOn(NOW)) continue;
    expect([rows('domain_history'), rows('list_history')]).toEqual([[], []]);
  });
});

describe('forgetting an address', () => {
  it('leaves no row, and what it has shown among what others have: their numbers stay', () => {
    const { history, known, rows } = open();
    history.learn(at({ local: 'bob', report: report() }), NOW);
    history.learn(at({ answers: [answer()], report: report() }), NOW);
    const before = known(sha256Hex('bob'));
    history.forget(ADA, NOW);
    expect(known(sha256Hex('bob'))).toEqual(before);
    expect(known().address).toBeNull();
    expect([rows('address_history'), rows('delivery_report')].map(({ length }) => length)).toEqual([1, 1]);
  });

  it('that alone has shown something of its domain leaves nothing there', () => {
    const { history, known } = open();
    history.learn(at({ report: report() }), NOW);
    const elsewhere = sight('bob', { at: NOW, domain: hashOf('other.test') });
    history.learn(at({ sight: elsewhere, report: report() }), NOW);
    history.forget(ADA, NOW);
    expect(known().domain?.values).toEqual(new Float32Array(DOMAIN_LEVELS));
    expect(known().list?.values[0]).toBe(2);
  });

  it('is in the rows of its levels at once: a crash brings nothing of it back, and takes nothing else', () => {
    const { history, storage } = open();
    history.learn(at({ local: 'bob', report: report() }), NOW);
    history.learn(at({ report: report() }), NOW);
    history.forget(ADA, NOW);
    expect(open(COUNTED, storage).known().domain?.values[0]).toBe(2);
  });
});

describe('the night', () => {
  it('removes addresses of which 400 days brought nothing new, in slices', () => {
    const { history, rows } = open(NO_LEVELS);
    for (let place = 0; place < 4_500; place += 1) {
      const when = NOW - (place % 450) * DAY_MS;
      history.learn(at({ sight: sight(`a${place}`, { at: when }), answers: [answer({ at: when })] }), NOW);
    }
    const days: Record<number, number> = {};
    let slices = 0;
    for (let after: string | null = null, isWhole = false; !isWhole; slices += 1) {
      const { next, days: some } = history.trim({ after, before: NOW - 400 * DAY_MS }, NOW);
      for (const [day, count] of Object.entries(some)) days[Number(day)] = (days[Number(day)] ?? 0) + count;
      isWhole = next === null;
      after = next;
    }
    expect(slices).toBe(3);
    expect(rows('address_history')).toHaveLength(4_010);
    expect(Object.values(days).reduce((sum, count) => sum + count, 0)).toBe(4_010);
    expect(days[Math.floor(NOW / DAY_MS)]).toBe(10);
  });
});

describe('an object', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: START_MS });
    stubNeon();
  });
  afterEach(() => void vi.useRealTimers());
  const probe = {
    addressHash: ADA,
    domain: 'acme.test',
    history: { domain: PROBE.domain, purpose: 'signup' },
  } as const;

  it('tells the next request what an earlier one has learnt, in its list: the key’s for this purpose', async () => {
    const { admit, finish, keys } = await createTestOrganisation();
    const first = await admit({ probe, operationId: 'vr_1' });
    expect(first).toMatchObject({ ok: true, history: { address: null } });
    const list = listOfCalls(keys.member.id, 'signup');
    const news = at({ sight: sight('ada', { list }), answers: [answer()] });
    await finish('vr_1', { learnt: news });
    await finish('vr_1', { learnt: news });
    const second = await admit({ probe, operationId: 'vr_2' });
    if (!second.ok || second.history === undefined) throw new Error('no history');
    expect(decodeHistory(second.history).address).toMatchObject({ list, answers: [answer()] });
  });

  it('tells a test key nothing, nor a request that did not ask', async () => {
    const { admit, keys } = await createTestOrganisation();
    expect(await admit({ probe, keyHash: keys.test.hash })).not.toHaveProperty('history');
    expect(await admit({ probe: { addressHash: ADA, domain: 'acme.test' } })).not.toHaveProperty('history');
  });

  it('tells a range of a job what it knows of each address', async () => {
    const { object, finish, admit } = await createTestOrganisation();
    await admit({ operationId: 'vr_1' });
    await finish('vr_1', { learnt: at({ answers: [answer()] }) });
    const history = { domain: PROBE.domain, list: hashOf('bj') };
    const probes = ['ada', 'bob'].map((local) => ({ addressHash: sha256Hex(local), domain: 'acme.test', history }));
    const [ada, bob] = await object.matchRules({ v: PORT_VERSION, probes });
    expect(ada?.history?.address).not.toBeNull();
    // Bob has a neighbour at his domain.
    expect(bob?.history).toEqual({ address: null, domain: ada?.history?.domain, list: null });
  });

  it('forgets with the address all that its history holds', async () => {
    const { admit, finish, object, dump } = await createTestOrganisation();
    await admit({ operationId: 'vr_1' });
    await finish('vr_1', { learnt: at({ answers: [answer()], report: report() }) });
    await object.forget(ADA);
    expect(dump()).toMatchObject({ address_history: [], delivery_report: [] });
  });

  it('enters a page of a rebuild, and once more to no effect', async () => {
    const { object, dump } = await createTestOrganisation();
    const page = {
      v: PORT_VERSION,
      learnt: [at({ answers: [answer()] }), at({ local: 'bob', report: report() })],
    } as const;
    await object.restoreHistory(page);
    const before = dump();
    expect(before['address_history']).toHaveLength(2);
    await object.restoreHistory(page);
    expect(dump()).toEqual(before);
  });
});

describe('an object that keeps levels', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: NOW });
    stubNeon();
  });
  afterEach(() => void vi.useRealTimers());

  class LevelledObject extends OrganisationObjectBase {
    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, env, { ...openObjectServices(env), levels: COUNTED });
    }
  }
  const start = (storage: ObjectStorage) =>
    new LevelledObject({ storage } as unknown as DurableObjectState, OBJECT_ENV as unknown as Env);
  const inRows = ({ sql }: ObjectStorage) => {
    const row = sql.exec<{ state: ArrayBuffer }>('select state from domain_history').toArray()[0]?.state;
    const [refused = 0, delivered = 0] = row === undefined ? [] : (decodeLevels(row, DOMAIN_LEVELS)?.values ?? []);
    return refused - delivered;
  };
  const heard = (...locals: string[]) => {
    const sights = locals.map((local) => sight(local, { at: NOW, purpose: 'outbound' }));
    return {
      v: PORT_VERSION,
      learnt: sights.map((of) => at({ sight: of, report: report({ at: Date.now() }) })),
    } as const;
  };

  it('writes them 5 s after the first change, not with each', async () => {
    const storage = createObjectStorage();
    const object = start(storage);
    await object.create(settingsRecord());
    for (const local of ['ada', 'bob']) await object.restoreHistory(heard(local));
    expect(inRows(storage)).toBe(0);
    await vi.advanceTimersByTimeAsync(5 * SECOND_MS);
    await object.tick();
    expect(inRows(storage)).toBe(2);
  });

  it('has them exact again after it lost its memory before it wrote them', async () => {
    const storage = createObjectStorage();
    const first = start(storage);
    await first.create(settingsRecord());
    await first.restoreHistory(heard('ada'));
    await vi.advanceTimersByTimeAsync(5 * SECOND_MS);
    await first.tick();
    await vi.advanceTimersByTimeAsync(60 * SECOND_MS);
    await first.restoreHistory(heard('bob', 'cy'));
    const second = start(storage);
    await second.restoreHistory(heard('di'));
    await vi.advanceTimersByTimeAsync(5 * SECOND_MS);
    await second.tick();
    expect(inRows(storage)).toBe(4);
  });
});
