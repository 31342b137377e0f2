import v8 from 'node:v8';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DOMAIN_LEVELS, type LevelUpdate, NO_LEVELS } from '../../../src/domain/verification/history.ts';
import {
  decodeAddress,
  decodeHistory,
  decodeLevels,
  encodeAddress,
} from '../../../src/domain/verification/history-codec.ts';
import { listOfCalls } from '../../../src/domain/belief/names.ts';
import { DAY_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { sha256Hex } from '../../../src/kernel/keyed-hash.ts';
import { History } from '../../../src/organisation/history.ts';
import { OrganisationObjectBase } from '../../../src/organisation/object.ts';
import { openObjectServices } from '../../../src/runtime/object-services.ts';
import { stubNeon } from '../../support/fake-neon.ts';
import { COUNTED, FULLEST, hashOf, sight } from '../../support/histories.ts';
import { createObjectStorage, type ObjectStorage } from '../../support/object-storage.ts';
import { ADA, answer, NOW, newsOf, openHistory, PROBE, report } from '../../support/open-history.ts';
import { createTestOrganisation, OBJECT_ENV } from '../../support/organisation.ts';
import { START_MS, settingsRecord } from '../../support/records.ts';

describe('a sample for the fit', () => {
  it('has every address once, slice by slice, with the levels around it', () => {
    const { history } = openHistory();
    const locals = Array.from({ length: 25 }, (_, place) => `person${place}`);
    for (const local of locals) history.learn(newsOf({ local, answers: [answer()] }), NOW);
    const names: string[] = [];
    for (let after: string | null | undefined = null; after !== undefined;) {
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
    const { history, known } = openHistory();
    expect(known()).toEqual({ address: null, domain: null, list: null });
    history.learn(newsOf({ answers: [answer()], report: report() }), NOW);
    expect(known()).toMatchObject({
      address: { firstSeenAt: NOW, answers: [answer()], reports: [{ class: 'user_unknown', at: NOW }] },
      domain: { values: Float32Array.from({ length: 16 }, (_, place) => Number(place === 0)) },
      list: { values: Float32Array.from({ length: 11 }, (_, place) => Number(place === 0)) },
    });
  });

  it('is written once: a repeat and an answer that says nothing new write nothing', () => {
    const { history, rows } = openHistory();
    const news = newsOf({ answers: [answer()], report: report(), proof: { class: 'paid', at: NOW } });
    expect(history.learn(news, NOW)).toBe(true);
    const before = [rows('address_history'), rows('delivery_report')];
    expect(history.learn(news, NOW + 1)).toBe(false);
    expect(history.learn(newsOf({ answers: [answer({ verdict: 'unknown', at: NOW + 5_000 })] }), NOW + 5_000)).toBe(
      false,
    );
    expect([rows('address_history'), rows('delivery_report')]).toEqual(before);
  });

  it('is nothing where an address was only looked at', () => {
    const { history, rows } = openHistory();
    expect(history.learn(newsOf({}), NOW)).toBe(false);
    expect(rows('address_history')).toEqual([]);
  });

  it.each([
    ['400 days ago', NOW - 400 * DAY_MS],
    ['in the future', NOW + DAY_MS],
  ])('is no report and no proof of %s', (_, when) => {
    const { history, rows } = openHistory();
    expect(history.learn(newsOf({ report: report({ at: when }), proof: { class: 'paid', at: when } }), NOW)).toBe(
      false,
    );
    expect([rows('address_history'), rows('delivery_report')]).toEqual([[], []]);
  });

  it('counts one report of each message, its last, whatever the order', () => {
    const { history, known, rows } = openHistory();
    history.learn(newsOf({ report: report({ class: 'delivered', at: NOW - 1_000 }) }), NOW);
    history.learn(newsOf({ report: report({ class: 'user_unknown', at: NOW }) }), NOW);
    history.learn(newsOf({ report: report({ class: 'soft', at: NOW - 2_000 }) }), NOW);
    expect(known().address?.reports).toMatchObject([{ class: 'user_unknown', at: NOW }]);
    expect(known().domain?.values.slice(0, 2)).toEqual(Float32Array.of(1, 0));
    expect(rows('delivery_report')).toHaveLength(1);
  });

  it('counts each message once among the reports of its source, host and day, whatever is reported of it later', () => {
    const { history, rows } = openHistory();
    const tallies = () => rows('report_tally').map(({ delivered, refused }) => [delivered, refused]);
    history.learn(newsOf({ report: report({ class: 'delivered', at: NOW }) }), NOW);
    history.learn(newsOf({ report: report({ class: 'delivered', at: NOW }) }), NOW);
    expect(tallies()).toEqual([[1, 0]]);
    history.learn(newsOf({ report: report({ class: 'user_unknown', at: NOW + 1_000 }) }), NOW + 1_000);
    history.learn(newsOf({ report: report({ class: 'delivered', at: NOW - 1_000 }) }), NOW + 1_000);
    expect(tallies()).toEqual([[0, 1]]);
    history.learn(newsOf({ local: 'bob', report: report({ class: 'soft', of: 'vr_2' }) }), NOW + 1_000);
    expect(tallies()).toEqual([[0, 1]]);
  });

  it('tells the levels how far its reports reach, also after a restart', () => {
    const storage = createObjectStorage();
    const deliver = (history: History, from: number) => {
      for (let place = from; place < from + 10; place += 1)
        history.learn(newsOf({ local: `${place}`, report: report({ class: 'delivered', of: `vr_${place}` }) }), NOW);
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
    deliver(openHistory(by, storage).history, 0);
    deliver(new History(storage.sql, by), 10);
    expect(reaches).toEqual([...Array.from({ length: 19 }, () => 'none'), 'all']);
  });

  it('forgets how many were reported 400 days ago', () => {
    const { history, rows } = openHistory();
    history.learn(newsOf({ report: report() }), NOW);
    const trim = (days: number) => history.trim({ after: null, before: 0 }, NOW + days * DAY_MS);
    trim(400);
    expect(rows('report_tally')).toHaveLength(1);
    trim(401);
    expect(rows('report_tally')).toEqual([]);
  });

  it('never overwrites a row that it can’t read', () => {
    const { history, storage, known } = openHistory();
    history.learn(newsOf({ answers: [answer()] }), NOW);
    storage.sql.exec("update address_history set state = x'02ff'");
    expect(history.learn(newsOf({ answers: [answer({ provider: 'hunter' })] }), NOW)).toBe(false);
    expect(known().address).toBeNull();
    expect(
      new Uint8Array(
        storage.sql.exec<{ state: ArrayBuffer }>('select state from address_history').toArray()[0]?.state ??
          new ArrayBuffer(0),
      ),
    ).toEqual(Uint8Array.of(2, 255));
  });

  it('needs at most 600 bytes more in the answer of the authorisation', () => {
    const { history, storage } = openHistory();
    storage.sql.exec(
      'insert into address_history values (?, ?)',
      new Uint8Array(Buffer.from(hashOf('ada'), 'hex')).buffer,
      encodeAddress(FULLEST),
    );
    history.learn(newsOf({ local: 'bob', report: report() }), NOW);
    const rows = history.known(ADA, PROBE, 'key_1');
    expect(Object.values(rows).map((row: ArrayBuffer | null) => row?.byteLength)).toEqual([199, 75, 51]);
    expect(serialisedBytes({ history: rows })).toBeLessThanOrEqual(600);
  });
});

/** As the runtime sends it: structured clone. */
const serialisedBytes = (value: object): number => v8.serialize(value).byteLength;

describe('forgetting an address', () => {
  it('leaves no row, and what it has shown among what others have: their numbers stay', () => {
    const { history, known, rows } = openHistory();
    history.learn(newsOf({ local: 'bob', report: report() }), NOW);
    history.learn(newsOf({ answers: [answer()], report: report() }), NOW);
    const before = known(sha256Hex('bob'));
    history.forget(ADA, NOW);
    expect(known(sha256Hex('bob'))).toEqual(before);
    expect(known().address).toBeNull();
    expect([rows('address_history'), rows('delivery_report')].map(({ length }) => length)).toEqual([1, 1]);
  });

  it('that alone has shown something of its domain leaves nothing there', () => {
    const { history, known } = openHistory();
    history.learn(newsOf({ report: report() }), NOW);
    const elsewhere = sight('bob', { at: NOW, domain: hashOf('other.test') });
    history.learn(newsOf({ sight: elsewhere, report: report() }), NOW);
    history.forget(ADA, NOW);
    expect(known().domain?.values).toEqual(new Float32Array(DOMAIN_LEVELS));
    expect(known().list?.values[0]).toBe(2);
  });

  it('is in the rows of its levels at once: a crash brings nothing of it back, and takes nothing else', () => {
    const { history, storage } = openHistory();
    history.learn(newsOf({ local: 'bob', report: report() }), NOW);
    history.learn(newsOf({ report: report() }), NOW);
    history.forget(ADA, NOW);
    expect(openHistory(COUNTED, storage).known().domain?.values[0]).toBe(2);
  });
});

describe('the night', () => {
  it('removes addresses of which 400 days brought nothing new, in slices', () => {
    const { history, rows } = openHistory(NO_LEVELS);
    for (let place = 0; place < 4_500; place += 1) {
      const when = NOW - (place % 450) * DAY_MS;
      history.learn(newsOf({ sight: sight(`a${place}`, { at: when }), answers: [answer({ at: when })] }), NOW);
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
    const news = newsOf({ sight: sight('ada', { list }), answers: [answer()] });
    await finish('vr_1', { learnt: news });
    await finish('vr_1', { learnt: news });
    const second = await admit({ probe, operationId: 'vr_2' });
    if (!second.ok || second.history === undefined) throw new Error('no history');
    expect(decodeHistory(second.history).address).toMatchObject({ list, answers: [answer()] });
  });

  it('tells of the list that the address was first seen in beside the one that asks', async () => {
    const { admit, finish } = await createTestOrganisation();
    const list = hashOf('a file');
    await admit({ probe, operationId: 'vr_1' });
    await finish('vr_1', { learnt: newsOf({ sight: sight('ada', { list }), answers: [answer()] }) });
    const [ada, bob] = await Promise.all(
      [ADA, sha256Hex('bob')].map((addressHash, at) =>
        admit({ probe: { ...probe, addressHash }, operationId: `vr_${at + 2}` }),
      ),
    );
    if (!ada?.ok || !bob?.ok || ada.history === undefined || bob.history === undefined) throw new Error('no history');
    // Of the list of the key's signups nothing is known yet.
    expect(decodeHistory(ada.history)).toMatchObject({ address: { list }, list: null, ownList: { isReported: false } });
    expect(bob.history).toEqual({ address: null, domain: ada.history.domain, list: null });
  });

  it('tells a test key nothing, nor a request that did not ask', async () => {
    const { admit, keys } = await createTestOrganisation();
    expect(await admit({ probe, keyHash: keys.test.hash })).not.toHaveProperty('history');
    expect(await admit({ probe: { addressHash: ADA, domain: 'acme.test' } })).not.toHaveProperty('history');
  });

  it('tells a range of a job what it knows of each address', async () => {
    const { object, finish, admit } = await createTestOrganisation();
    await admit({ operationId: 'vr_1' });
    await finish('vr_1', { learnt: newsOf({ answers: [answer()] }) });
    const history = { domain: PROBE.domain, list: hashOf('bj') };
    const probes = ['ada', 'bob'].map((local) => ({ addressHash: sha256Hex(local), domain: 'acme.test', history }));
    const [ada, bob] = await object.matchRules({ probes });
    expect(ada?.history?.address).not.toBeNull();
    // Bob has a neighbour at his domain.
    expect(bob?.history).toEqual({ address: null, domain: ada?.history?.domain, list: null });
  });

  it('forgets with the address all that its history holds', async () => {
    const { admit, finish, object, dump } = await createTestOrganisation();
    await admit({ operationId: 'vr_1' });
    await finish('vr_1', { learnt: newsOf({ answers: [answer()], report: report() }) });
    await object.forget(ADA);
    expect(dump()).toMatchObject({ address_history: [], delivery_report: [] });
  });

  it('enters a page of a rebuild, and once more to no effect', async () => {
    const { object, dump } = await createTestOrganisation();
    const page = {
      learnt: [newsOf({ answers: [answer()] }), newsOf({ local: 'bob', report: report() })],
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
      learnt: sights.map((of) => newsOf({ sight: of, report: report({ at: Date.now() }) })),
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
