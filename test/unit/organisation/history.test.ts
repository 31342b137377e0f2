import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeliveryReport, Observation } from '../../../src/domain/belief/facts.ts';
import { EFFECT_NAMES, type Groups } from '../../../src/domain/belief/groups.ts';
import { listOfCalls, sourceTag } from '../../../src/domain/belief/names.ts';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/clock.ts';
import { sha256Hex } from '../../../src/kernel/crypto.ts';
import { newId } from '../../../src/kernel/ids.ts';
import type { HistorySlice, TrimmedHistory } from '../../../src/organisation/api.ts';
import type { History } from '../../../src/organisation/history.ts';
import { trimHistory } from '../../../src/services/nightly/organisation-night.ts';
import { answer, contextOf, daysAgo, hashOf, NOW } from '../../support/addresses.ts';
import { stubNeon } from '../../support/fake-neon.ts';
import { createObjectStorage } from '../../support/object-storage.ts';
import { ADA, newsOf, openHistory, PROBE, report } from '../../support/open-history.ts';
import { createTestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';

const BOB = sha256Hex('bob');
/** Means and variances of all groups, in one row. */
const numbersOf = (groups: Groups): number[] => [
  ...EFFECT_NAMES.flatMap((name) => [groups[name]?.mean ?? 0, groups[name]?.varianceReduction ?? 0]),
  groups.domain?.givenUp ?? 0,
];
/** Twenty deliveries at another domain, which make the source trusted. */
const TRUSTED: readonly Observation[] = Array.from({ length: 20 }, (_, place) =>
  newsOf({
    local: `reached ${place}`,
    context: { domain: hashOf('reached.test'), list: null, host: 'unknown_business' },
    report: report({ class: 'delivered', of: `vr_r${place}` }),
  }),
);
const openTrusted = (storage = createObjectStorage()) => {
  const opened = openHistory(storage);
  opened.history.learn(TRUSTED, NOW);
  return opened;
};

describe('what is learned of an address', () => {
  it('comes back with its domain, its list and the account', () => {
    const { history, known } = openTrusted();
    expect(known()).toMatchObject({ address: null, groups: { domain: null, list: null } });
    history.learn([newsOf({ answers: [answer()], report: report() })], NOW);
    const found = known();
    expect(found).toMatchObject({
      address: { firstSeenAt: NOW, answers: [answer()], reports: [{ class: 'user_unknown', at: NOW }] },
      isOwnList: true,
      isTrusted: true,
    });
    for (const name of ['domain', 'list', 'account', 'catchAlls'] as const)
      expect(Math.abs(found.groups[name]?.mean ?? 0), name).toBeGreaterThan(0);
  });

  it('is written once: a repeat writes nothing', () => {
    const { history, rows } = openHistory();
    const news = newsOf({ answers: [answer()], report: report(), proof: { class: 'paid', at: NOW } });
    const stored = () => [rows('address_facts'), rows('group_effect'), rows('report_tally')];
    history.learn([news], NOW);
    const before = stored();
    history.learn([news], NOW + 1);
    expect(stored()).toEqual(before);
  });

  it('reports when a provider that answered before was silent', () => {
    const { history, known } = openHistory();
    history.learn([newsOf({ answers: [answer()] })], NOW);
    history.learn([newsOf({ answers: [answer({ verdict: 'unknown', at: NOW + 5_000 })] })], NOW + 5_000);
    expect(known().address?.answers).toEqual([answer({ silentAt: NOW + 5_000 })]);
  });

  it('is nothing where an address was only looked at', () => {
    const { history, rows, known } = openHistory();
    history.learn([newsOf({})], NOW);
    expect(rows('address_facts')).toEqual([]);
    expect(known().address).toBeNull();
  });

  it.each([
    ['400 days ago', NOW - 400 * DAY_MS],
    ['in the future', NOW + DAY_MS],
  ])('is no report and no proof of %s', (_, at) => {
    const { history, rows } = openHistory();
    history.learn([newsOf({ report: report({ at }), proof: { class: 'paid', at } })], NOW);
    expect([rows('address_facts'), rows('report_tally')]).toEqual([[], []]);
  });

  it('is dated now where a fast clock dated it ahead', () => {
    const { history, known } = openHistory();
    const at = NOW + 23 * HOUR_MS;
    history.learn([newsOf({ report: report({ at }), proof: { class: 'paid', at } })], NOW);
    expect(known().address).toMatchObject({ reports: [{ at: NOW }], proofs: [{ at: NOW }] });
  });

  it('costs the same whatever came before: 1,000 reports on one address leave eight', () => {
    const { history, known } = openHistory();
    for (let place = 0; place < 1_000; place += 1) {
      const [at, kind] = [daysAgo(390) + place * 9 * 60 * 60 * 1_000, place % 2 === 0 ? 'soft' : 'delivered'] as const;
      history.learn([newsOf({ report: report({ class: kind, of: `vr_${place}`, at }) })], NOW);
    }
    expect(known().address?.reports.length).toBeLessThanOrEqual(8);
  });

  it('takes about 750 bytes, folded by a night too; from 1,002 on it would fill a page of its own', () => {
    const { history, rows, recompute } = openHistory();
    const answers = (['kickbox', 'bouncer', 'zerobounce'] as const).map((provider) => answer({ provider }));
    history.learn([newsOf({ answers, report: report(), proof: { class: 'paid', at: NOW } })], NOW);
    history.learn([newsOf({ report: report({ class: 'delivered', of: 'vr_2' }) })], NOW);
    recompute();
    const bytes = (value: unknown): number =>
      typeof value === 'string' ? value.length : value instanceof ArrayBuffer ? value.byteLength : 6;
    const size = Object.values(rows('address_facts')[0] ?? {}).reduce((sum: number, value) => sum + bytes(value), 0);
    expect(size).toBeLessThan(800);
  });

  it('is three rows of groups beside its own: its domain, its list and the account', () => {
    const { history, rows } = openHistory();
    history.learn([newsOf({ answers: [answer()] })], NOW);
    expect(rows('group_effect')).toHaveLength(3);
    expect(rows('report_tally')).toEqual([]);
  });

  it('writes each group once for a hundred rows at once, with the same result as one by one', () => {
    const [storage, other] = [createObjectStorage(), openHistory()];
    const { history, rows } = openHistory(storage);
    storage.sql.exec('create table put_group (kind text)');
    storage.sql.exec(
      'create trigger counts after insert on group_effect begin insert into put_group values (new.kind); end',
    );
    storage.sql.exec(
      'create trigger counts_again after update on group_effect begin insert into put_group values (new.kind); end',
    );
    const news = Array.from({ length: 100 }, (_, place) => newsOf({ local: `person ${place}`, answers: [answer()] }));
    history.learn(news, NOW);
    expect(rows('put_group')).toHaveLength(3);
    for (const each of news) other.history.learn([each], NOW);
    expect(rows('group_effect')).toEqual(other.rows('group_effect'));
  });

  it('names neither who reported nor the message', () => {
    const { history, rows } = openHistory();
    history.learn([newsOf({ report: report() })], NOW);
    const stored = JSON.stringify([rows('address_facts'), rows('report_tally')]);
    expect(stored).toContain(sourceTag('key_1'));
    for (const name of ['key_1', 'vr_1']) expect(stored).not.toContain(name);
  });
});

describe('the tallies of reports', () => {
  const tallies = (rows: (table: string) => object[]) =>
    rows('report_tally').map((row) => {
      const { delivered, refused } = row as { readonly delivered: number; readonly refused: number };
      return [delivered, refused];
    });

  it('count each message once, by its last report, whatever the order', () => {
    const { history, rows } = openHistory();
    history.learn([newsOf({ report: report({ class: 'delivered' }) })], NOW);
    history.learn([newsOf({ report: report({ class: 'delivered' }) })], NOW);
    expect(tallies(rows)).toEqual([[1, 0]]);
    history.learn([newsOf({ report: report({ class: 'user_unknown', at: NOW + 1_000 }) })], NOW + 1_000);
    history.learn([newsOf({ report: report({ class: 'delivered', at: NOW - 1_000 }) })], NOW + 1_000);
    expect(tallies(rows)).toEqual([[0, 1]]);
    history.learn([newsOf({ local: 'bob', report: report({ class: 'soft', of: 'vr_2' }) })], NOW + 1_000);
    expect(tallies(rows)).toEqual([[0, 1]]);
  });

  it('count each of two messages that are one fact once, however often they are reported in turns', () => {
    const { history, rows } = openHistory();
    for (let time = 0; time < 6; time += 1) {
      const now = NOW + time * 1_000;
      history.learn([newsOf({ report: report({ of: `vr_${time % 2}`, at: now }) })], now);
    }
    expect(tallies(rows)).toEqual([[0, 1]]);
  });

  it('count a fact once, so that no key becomes trusted by messages to its own mailbox', () => {
    const { history, known, rows } = openHistory();
    for (let place = 0; place < 20; place += 1)
      history.learn([newsOf({ report: report({ class: 'delivered', of: `vr_${place}`, at: NOW + place }) })], NOW + 60);
    expect(tallies(rows)).toEqual([[1, 0]]);
    expect(known().isTrusted).toBe(false);
  });

  it('stay right where a message of several that are one fact is corrected', () => {
    const { history, rows } = openHistory();
    const tell = (kind: DeliveryReport['class'], of: string, days: number) =>
      history.learn([newsOf({ report: report({ class: kind, of, at: daysAgo(days) }) })], NOW);
    tell('user_unknown', 'vr_1', 6);
    tell('user_unknown', 'vr_2', 4);
    tell('delivered', 'vr_2', 3);
    tell('complaint', 'vr_2', 2);
    const sums = () => [0, 1].map((place) => tallies(rows).reduce((sum, each) => sum + (each[place] ?? 0), 0));
    expect(sums()).toEqual([1, 1]);
    tell('delivered', 'vr_1', 1);
    expect(sums()).toEqual([2, 0]);
  });

  it('let a source move groups from its twentieth delivery on, also after a restart', () => {
    const storage = createObjectStorage();
    const { history, known } = openHistory(storage);
    history.learn(TRUSTED.slice(0, 19), NOW);
    expect(known()).toMatchObject({ isTrusted: false, groups: { account: null } });
    const restarted = openHistory(storage);
    restarted.history.learn(TRUSTED.slice(19), NOW);
    expect(restarted.known().isTrusted).toBe(true);
    expect(restarted.known().groups.account?.mean).toBeLessThan(0);
  });

  it('are forgotten once they no longer count', () => {
    const { history, rows } = openHistory();
    history.learn([newsOf({ report: report() })], NOW);
    const trim = (days: number) => history.trim({ after: null, keep: Infinity, before: 0 }, NOW + days * DAY_MS);
    trim(90);
    expect(rows('report_tally')).toHaveLength(1);
    trim(91);
    expect(rows('report_tally')).toEqual([]);
  });
});

describe('refusals of an outage', () => {
  it('do not count for the address while the outage goes on, and do afterwards', () => {
    const { history } = openHistory();
    const reach = (place: number, at: number) =>
      newsOf({
        local: `usual ${place}`,
        context: { host: 'google_consumer' },
        report: report({ class: 'delivered', of: `vr_u${place}`, at }),
      });
    for (let place = 0; place < 40; place += 1) history.learn([reach(place, daysAgo(30))], NOW);
    for (let place = 0; place < 10; place += 1) {
      const delivered = report({ class: 'delivered', of: `vr_e${place}` });
      const local = `elsewhere ${place}`;
      history.learn([newsOf({ local, context: { host: 'unknown_business' }, report: delivered })], NOW);
    }
    for (let place = 0; place < 40; place += 1) {
      const local = place === 0 ? 'ada' : `refused ${place}`;
      history.learn(
        [newsOf({ local, context: { host: 'google_consumer' }, report: report({ of: `vr_o${place}` }) })],
        NOW,
      );
    }
    const reports = (now: number) => history.known(ADA, PROBE, 'key_1', now).address?.reports;
    expect(reports(NOW)).toEqual([]);
    expect(reports(NOW + 2 * DAY_MS)).toHaveLength(1);
  });
});

describe('forgetting an address', () => {
  it('leaves no row, and the groups as they were without it', () => {
    const { history, known, rows } = openTrusted();
    history.learn([newsOf({ local: 'bob', report: report() })], NOW);
    const before = numbersOf(known(BOB).groups);
    const addresses = rows('address_facts').length;
    history.learn([newsOf({ answers: [answer()], report: report({ of: 'vr_2' }) })], NOW);
    expect(history.forget(ADA, NOW)).toEqual({ histories: 1, reports: 1 });
    expect(known().address).toBeNull();
    expect(rows('address_facts')).toHaveLength(addresses);
    numbersOf(known(BOB).groups).forEach((value, place) => expect(value).toBeCloseTo(before[place] ?? 0, 9));
    expect(history.forget(ADA, NOW)).toEqual({ histories: 0, reports: 0 });
  });

  it('leaves nothing about its domain when it alone has evidence there', () => {
    const { history, known } = openTrusted();
    history.learn([newsOf({ answers: [answer()] })], NOW);
    history.forget(ADA, NOW);
    expect(known().groups.domain?.mean).toBeCloseTo(0, 12);
    expect(known().groups.list?.mean).toBeCloseTo(0, 12);
  });

  it('leaves nothing of it in any group once they are recomputed', () => {
    const [forgetful, never] = [openTrusted(), openTrusted()];
    for (const { history } of [forgetful, never]) history.learn([newsOf({ local: 'bob', report: report() })], NOW);
    forgetful.history.learn(
      [newsOf({ answers: [answer()], report: report({ at: daysAgo(30), source: 'key_2' }) })],
      NOW,
    );
    forgetful.recompute();
    for (const { history } of [forgetful, never]) history.learn([newsOf({ local: 'cy', answers: [answer()] })], NOW);
    forgetful.history.forget(ADA, NOW);
    for (const opened of [forgetful, never]) opened.recompute();
    const groups = ({ known }: typeof never) => known(sha256Hex('nobody')).groups;
    expect(groups(forgetful)).toEqual(groups(never));
  });
});

/** Addresses at a few domains in order of arrival, too many for one recomputation step. */
const MANY: readonly Observation[] = Array.from({ length: 220 }, (_, place) =>
  newsOf({
    local: `person ${place}`,
    context: { domain: hashOf(`company ${place % 7}`), list: hashOf(`list ${place % 3}`) },
    ...(place % 3 === 0
      ? { answers: [answer({ verdict: place % 2 === 0 ? 'undeliverable' : 'deliverable', at: daysAgo(place % 200) })] }
      : {
          report: report({
            class: place % 5 === 0 ? 'user_unknown' : 'delivered',
            of: `vr_${place}`,
            at: daysAgo(place % 200),
          }),
        }),
  }),
);

describe('recomputing the groups', () => {
  const lookup = { domain: hashOf('company 1'), list: hashOf('list 1') };
  const groupsOf = ({ known }: ReturnType<typeof openHistory>) => numbersOf(known(sha256Hex('nobody'), lookup).groups);
  const learned = (news: readonly Observation[], opened = openTrusted()) => {
    opened.history.learn(news, NOW);
    return opened;
  };

  it('gives the same result for any order of arrival, and again when it is repeated', () => {
    const [one, other] = [learned(MANY), learned(MANY.toReversed())];
    for (const opened of [one, other]) opened.recompute();
    expect(groupsOf(one)).toEqual(groupsOf(other));
    const before = groupsOf(one);
    one.recompute();
    expect(groupsOf(one)).toEqual(before);
  });

  it('gives the result of a rebuilt history', () => {
    const opened = learned(MANY);
    opened.recompute();
    const rebuilt = openHistory();
    rebuilt.history.learn([...MANY.toReversed(), ...TRUSTED], NOW);
    rebuilt.recompute();
    groupsOf(rebuilt).forEach((value, place) => expect(value).toBeCloseTo(groupsOf(opened)[place] ?? 0, 12));
  });

  it('takes several steps, and leaves the groups in force until the last', () => {
    const opened = learned(MANY);
    const before = groupsOf(opened);
    let steps = 0;
    for (let isLast = false; !isLast; steps += 1) {
      expect(groupsOf(opened)).toEqual(before);
      isLast = opened.history.recomputeOn(NOW);
    }
    expect(steps).toBeGreaterThan(2);
    expect(groupsOf(opened)).not.toEqual(before);
  });

  it.each<[what: string, change: (history: History) => unknown]>([
    ['comes', (history) => history.learn([newsOf({ local: 'new', context: lookup, answers: [answer()] })], NOW)],
    ['changes', (history) => history.learn([newsOf({ local: 'person 1', context: lookup, answers: [answer()] })], NOW)],
    ['is forgotten', (history) => history.forget(sha256Hex('person 1'), NOW)],
  ])('counts an address that %s meanwhile, before the fold has passed it or after', (_, change) => {
    for (const stepsBefore of [1, 2]) {
      const opened = learned(MANY);
      for (let step = 0; step < stepsBefore; step += 1) expect(opened.history.recomputeOn(NOW)).toBe(false);
      change(opened.history);
      while (!opened.history.recomputeOn(NOW));
      const after = learned(MANY);
      change(after.history);
      after.recompute();
      // What changes behind the fold enters in another order than its name's.
      groupsOf(opened).forEach((value, place) =>
        expect(Math.abs(value - (groupsOf(after)[place] ?? 0))).toBeLessThan(0.5),
      );
      expect(opened.history.isChanged).toBe(true);
      opened.recompute();
      expect(groupsOf(opened)).toEqual(groupsOf(after));
      expect(opened.history.isChanged).toBe(false);
    }
  });

  it('leaves the groups in force when a crash interrupts it, and starts over', () => {
    const storage = createObjectStorage();
    const opened = learned(MANY, openTrusted(storage));
    const before = groupsOf(opened);
    for (let step = 0; step < 2; step += 1) expect(opened.history.recomputeOn(NOW)).toBe(false);
    const restarted = openHistory(storage);
    expect(groupsOf(restarted)).toEqual(before);
    restarted.recompute();
    const whole = learned(MANY);
    whole.recompute();
    expect(groupsOf(restarted)).toEqual(groupsOf(whole));
  });

  it('counts nothing of what is 400 days old, and drops it from the row', () => {
    const facts = { answers: [answer({ at: daysAgo(300) })], proof: { class: 'paid', at: NOW } } as const;
    const opened = openTrusted();
    opened.history.learn([newsOf(facts)], NOW);
    opened.recompute(NOW + 101 * DAY_MS);
    expect(opened.known().address).toMatchObject({ answers: [], proofs: [facts.proof] });
    expect(opened.known().groups.domain).toBeNull();
  });

  it('finds how often the refusals of a source are contradicted by deliveries of others', () => {
    const opened = openHistory();
    for (let place = 0; place < 40; place += 1) {
      const local = `person ${place}`;
      const [wrong, right] = [
        report({ of: `vr_a${place}`, source: 'faulty', at: daysAgo(20) }),
        report({ class: 'delivered', of: `vr_b${place}`, source: 'good', at: daysAgo(10) }),
      ];
      opened.history.learn([newsOf({ local, report: wrong })], NOW);
      if (place < 30) opened.history.learn([newsOf({ local, report: right })], NOW);
    }
    opened.recompute();
    const { errors } = opened.known();
    expect(Object.keys(errors)).toEqual([sourceTag('faulty')]);
    expect(errors[sourceTag('faulty')]).toBeGreaterThan(0.2);
    expect(errors[sourceTag('faulty')]).toBeLessThanOrEqual(0.5);
  });
});

describe('the night', () => {
  it('removes addresses of which 400 days brought nothing new, in slices', () => {
    const { history, rows } = openHistory();
    for (let place = 0; place < 4_500; place += 1) {
      const at = NOW - (place % 450) * DAY_MS;
      history.learn([newsOf({ local: `a${place}`, context: { at, list: null }, answers: [answer({ at })] })], at);
    }
    const days: Record<number, number> = {};
    let slices = 0;
    for (let after: string | null = null, isWhole = false; !isWhole; slices += 1) {
      const { next, days: some } = history.trim({ after, keep: Infinity, before: NOW - 400 * DAY_MS }, NOW);
      for (const [day, count] of Object.entries(some)) days[Number(day)] = (days[Number(day)] ?? 0) + count;
      isWhole = next === null;
      after = next;
    }
    expect(slices).toBe(3);
    expect(rows('address_facts')).toHaveLength(4_010);
    expect(Object.values(days).reduce((sum, count) => sum + count, 0)).toBe(4_010);
    expect(days[Math.floor(NOW / DAY_MS)]).toBe(10);
  });

  it.each([
    ['all are of one day', () => 0, 1_500],
    ['each is of another day', (place: number) => place % 399, 1_500],
    ['there is one too many', (place: number) => place % 3, 4_499],
  ])('removes exactly those that are too many, also where an answer is lost: %s', async (_, daysBefore, most) => {
    const { history, rows } = openHistory();
    for (let place = 0; place < 4_500; place += 1) {
      const at = NOW - daysBefore(place) * DAY_MS;
      history.learn([newsOf({ local: `a${place}`, context: { at, list: null }, answers: [answer({ at })] })], at);
    }
    const trimmedTwice = async (slice: HistorySlice): Promise<TrimmedHistory> => {
      history.trim(slice, NOW);
      return history.trim(slice, NOW);
    };
    const objects = {
      now: () => NOW,
      counters: { add: () => undefined },
      stub: () => ({ trimHistory: trimmedTwice }),
    } as never;
    const done = await trimHistory({ objects }, newId('org', NOW), NOW, 400 * DAY_MS, most);
    expect(done).toEqual({ addresses: most, over: 4_500 - most });
    expect(rows('address_facts')).toHaveLength(most);
  });
});

describe('an object', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: START_MS });
    stubNeon();
  });
  const lookup = {
    addressHash: ADA,
    domain: 'acme.test',
    history: { domain: PROBE.domain, purpose: 'signup' },
  } as const;

  it('tells the next request what an earlier one has learned, in its list: the key’s for this purpose', async () => {
    const { authorize, commit, keys } = await createTestOrganisation();
    const first = await authorize({ lookup, operationId: 'vr_1' });
    expect(first).toMatchObject({ ok: true, history: { address: null } });
    const list = listOfCalls(keys.member.id, 'signup');
    const news = newsOf({ context: { list }, answers: [answer()] });
    await commit('vr_1', { observation: news });
    await commit('vr_1', { observation: news });
    const second = await authorize({ lookup, operationId: 'vr_2' });
    expect(second).toMatchObject({ history: { address: { list, answers: [answer()] }, isOwnList: true } });
  });

  it('tells of the list where the address was first seen, and of the key’s own list where it was not seen', async () => {
    const { authorize, commit } = await createTestOrganisation();
    const list = hashOf('a file');
    await authorize({ lookup, operationId: 'vr_1' });
    await commit('vr_1', { observation: newsOf({ context: { list }, answers: [answer()] }) });
    const [ada, bob] = await Promise.all(
      [ADA, BOB].map((addressHash, at) =>
        authorize({ lookup: { ...lookup, addressHash }, operationId: `vr_${at + 2}` }),
      ),
    );
    expect(ada).toMatchObject({ history: { address: { list }, isOwnList: true, groups: { list: {} } } });
    // Nothing is known yet of the list of the key's signups.
    expect(bob).toMatchObject({ history: { address: null, isOwnList: false, groups: { list: null } } });
  });

  it('tells a test key nothing, nor a request that did not ask', async () => {
    const { authorize, keys } = await createTestOrganisation();
    expect(await authorize({ lookup, keyHash: keys.test.hash })).not.toHaveProperty('history');
    expect(await authorize({ lookup: { addressHash: ADA, domain: 'acme.test' } })).not.toHaveProperty('history');
  });

  it('tells a range of a job what it knows of each address', async () => {
    const { object, commit, authorize } = await createTestOrganisation();
    await authorize({ operationId: 'vr_1' });
    await commit('vr_1', { observation: newsOf({ answers: [answer()] }) });
    const history = { domain: PROBE.domain, list: hashOf('bj') };
    const lookups = [ADA, BOB].map((addressHash) => ({ addressHash, domain: 'acme.test', history }));
    const [ada, bob] = await object.matchRules({ lookups });
    expect(ada?.history?.address).not.toBeNull();
    // Bob has a neighbour at his domain.
    expect(bob?.history).toMatchObject({ address: null, groups: { domain: ada?.history?.groups.domain, list: null } });
  });

  it('forgets with the address all that its history holds', async () => {
    const { authorize, commit, object, dump } = await createTestOrganisation();
    await authorize({ operationId: 'vr_1' });
    await commit('vr_1', { observation: newsOf({ answers: [answer()], report: report() }) });
    await object.forget(ADA);
    expect(dump()).toMatchObject({ address_facts: [] });
  });

  it('keeps nothing in memory of what a transaction that failed had learned', async () => {
    const { object, authorize, storage } = await createTestOrganisation();
    await object.restoreHistory({ observations: TRUSTED.slice(0, 1) });
    storage.sql.exec(
      `create trigger full before insert on address_facts when (select count(*) from address_facts) > 18
       begin select raise(abort, 'full'); end`,
    );
    for (let time = 0; time < 2; time += 1)
      await expect(object.restoreHistory({ observations: TRUSTED.slice(0, 20) })).rejects.toThrow('full');
    expect(await authorize({ lookup })).toMatchObject({ history: { isTrusted: false } });
    storage.sql.exec('drop trigger full');
    await object.restoreHistory({ observations: TRUSTED });
    expect(await authorize({ lookup })).toMatchObject({ history: { isTrusted: true } });
  });

  it('learns a large page in slices, between which other requests come', async () => {
    const { object, authorize } = await createTestOrganisation();
    const observations = Array.from({ length: 1_000 }, (_, place) =>
      newsOf({ local: `many ${place}`, report: report() }),
    );
    const ended: string[] = [];
    const page = object.restoreHistory({ observations }).then(() => ended.push('page'));
    await authorize({ lookup }).then(() => ended.push('request'));
    await vi.advanceTimersByTimeAsync(100);
    await page;
    expect(ended).toEqual(['request', 'page']);
  });

  it('restores a page of a rebuild; a repeat changes nothing', async () => {
    const { object, dump } = await createTestOrganisation();
    const page = {
      observations: [newsOf({ answers: [answer()] }), newsOf({ local: 'bob', report: report() })],
    } as const;
    await object.restoreHistory(page);
    const stored = () => [dump()['address_facts'], dump()['group_effect'], dump()['report_tally']];
    const before = stored();
    expect(before[0]).toHaveLength(2);
    await object.restoreHistory(page);
    expect(stored()).toEqual(before);
    expect(contextOf('ada').address).toBe(hashOf('ada'));
  });
});
