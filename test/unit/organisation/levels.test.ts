import { describe, expect, it } from 'vitest';
import type { Learnt } from '../../../src/domain/verification/history.ts';
import { decodeAddress, decodeLevels } from '../../../src/domain/verification/history-codec.ts';
import { levelUpdate } from '../../../src/domain/verification/level-update.ts';
import { SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import { OPEN_GATE } from '../../../src/domain/verification/report-gate.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { sha256Hex } from '../../../src/kernel/keyed-hash.ts';
import type { History } from '../../../src/organisation/history.ts';
import { HistorySweep } from '../../../src/organisation/history-sweep.ts';
import { anyNews, COUNTED, hashOf, sight } from '../../support/histories.ts';
import { answer, NOW, newsOf, openHistory, PROBE, report } from '../../support/open-history.ts';
import { seededRandom, seedOf } from '../../support/seeded-random.ts';

const BY_MODEL = levelUpdate(SEEDED_MODEL);

describe('levels', () => {
  it('count each address once, as it is now', () => {
    const { history, known } = openHistory();
    for (const local of ['ada', 'bob', 'cy']) history.learn(newsOf({ local, report: report() }), NOW);
    history.learn(
      newsOf({ local: 'bob', report: report({ class: 'delivered', of: 'vr_1', at: NOW + 1_000 }) }),
      NOW + 1_000,
    );
    expect(known().domain?.values.slice(0, 2)).toEqual(Float32Array.of(2, 1));
    expect(known().list?.values.slice(0, 2)).toEqual(Float32Array.of(2, 1));
  });

  it('reach their rows only when they are written', () => {
    const { history, rows } = openHistory();
    history.learn(newsOf({ report: report() }), NOW);
    expect([rows('domain_history'), rows('list_history')]).toEqual([[], []]);
    history.levels.write();
    expect([rows('domain_history'), rows('list_history')].map(({ length }) => length)).toEqual([1, 1]);
    expect(history.levels.isDirty).toBe(false);
  });

  it('are swept from the addresses, exactly, while addresses change between the steps', () => {
    const { history, storage } = openHistory();
    // More than one step, in two domains; what was written before stays behind.
    for (let place = 0; place < 2_500; place += 1) {
      const domain = hashOf(place % 2 === 0 ? 'acme.test' : 'other.test');
      const of = sight(`a${place}`, { at: NOW, domain, purpose: 'outbound' });
      history.learn(
        newsOf({ sight: of, report: report({ class: place % 5 === 0 ? 'user_unknown' : 'delivered' }) }),
        NOW,
      );
      if (place === 1_000) history.levels.write();
    }
    const lost = openHistory(COUNTED, storage);
    expect(lost.known().domain?.values[0]).toBeLessThan(250);
    let turn = 0;
    for (const when = NOW + 1_000; !lost.history.sweepOn(NOW); turn += 1) {
      for (const place of [turn * 10, 1_000 + turn * 10, 1_800 + turn * 10])
        lost.history.learn(
          newsOf({
            sight: sight(`a${place}`, { at: NOW }),
            report: report({ class: 'delivered', of: `vr_${turn}`, at: when }),
          }),
          when,
        );
      lost.history.learn(
        newsOf({ sight: sight(`new ${turn}`, { at: NOW, purpose: 'outbound' }), report: report() }),
        when,
      );
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
    expect(found(openHistory(COUNTED, storage))).toBeCloseTo(relative(exact), 2);
  });

  it('that a sweep finds as they are, and parts that it does, are not written again', () => {
    const { history, storage, rows } = openHistory(BY_MODEL);
    for (let place = 0; place < 600; place += 1)
      history.learn(newsOf({ sight: sight(`a${place}`, { at: NOW, purpose: 'outbound' }), report: report() }), NOW);
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
      return newsOf({ sight: of, report: report({ class: place % 7 < 3 ? 'user_unknown' : 'delivered', at: of.at }) });
    });
    const swept = (all: readonly Learnt[], domainsAtOnce?: number) => {
      const { history, storage, rows } = openHistory(BY_MODEL);
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
    const { history, storage } = openHistory();
    const whole = openHistory();
    const both = (change: (to: History) => void): void => {
      change(history);
      change(whole.history);
    };
    for (let place = 0; place < 2_500; place += 1) {
      const domain = hashOf(place % 2 === 0 ? 'acme.test' : 'other.test');
      const of = sight(`a${place}`, { at: NOW, domain, purpose: 'outbound' });
      const news = newsOf({ sight: of, report: report({ class: place % 5 === 0 ? 'user_unknown' : 'delivered' }) });
      both((to) => to.learn(news, NOW));
      if (place === 1_000) both((to) => to.levels.write());
      if (place % 400 === 0) both((to) => to.forget(sha256Hex(`a${place}`), NOW));
    }
    both((to) => to.levels.write());
    both((to) => to.learn(newsOf({ local: 'newest', report: report() }), NOW));
    const lost = openHistory(COUNTED, storage);
    lost.history.lost(NOW);
    const when = NOW + 1_000;
    let turn = 0;
    for (; !lost.history.recoverOn(NOW); turn += 1) {
      const also = (change: (to: History) => void): void => [lost.history, whole.history].forEach(change);
      for (const place of [turn * 10 + 1, 1_000 + turn * 10, 1_800 + turn * 10]) {
        const of = sight(`a${place}`, { at: NOW });
        also((to) =>
          to.learn(newsOf({ sight: of, report: report({ class: 'delivered', of: `vr_${turn}`, at: when }) }), when),
        );
      }
      const news = sight(`new ${turn}`, { at: NOW, purpose: 'outbound' });
      also((to) => to.learn(newsOf({ sight: news, report: report() }), when));
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
    expect(openHistory(COUNTED, storage).known()).toEqual(found);
  });

  it.each([1, 2, 3])(
    'that were lost are as they were, also what a sweep and erased addresses left beside the parts: world %i',
    (seed) => {
      const random = seededRandom(seedOf(seed, 20));
      const { history, storage } = openHistory(BY_MODEL);
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
      const lost = openHistory(BY_MODEL, storage).history;
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
    const { history, storage, known } = openHistory(BY_MODEL);
    history.learn(newsOf({ answers: [answer()] }), NOW);
    const lost = openHistory(BY_MODEL, storage);
    lost.history.lost(NOW);
    while (!lost.history.recoverOn(NOW)) continue;
    expect(known().domain?.stoppedOn).toBe(Math.floor(NOW / DAY_MS));
    expect(lost.known().domain?.stoppedOn).toBe(Math.floor(NOW / DAY_MS));
  });

  it('of which no address is left are gone after a sweep', () => {
    const { history, rows } = openHistory(BY_MODEL);
    history.learn(newsOf({ report: report() }), NOW);
    history.levels.write();
    history.trim({ after: null, before: NOW + 1 }, NOW);
    expect(history.isUnswept).toBe(true);
    while (!history.sweepOn(NOW)) continue;
    expect([rows('domain_history'), rows('list_history')]).toEqual([[], []]);
  });
});
