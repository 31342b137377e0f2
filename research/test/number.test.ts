import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cases } from '../number/cases.ts';
import { ExactPosterior } from '../number/exact-posterior.ts';
import { fateOf } from '../number/fates.ts';
import { calibrationError } from '../number/figures.ts';
import type { Judge } from '../number/judge.ts';
import type { KindName } from '../number/kinds.ts';
import { drawAccount } from '../number/lives.ts';
import { truthAt } from '../number/mailbox.ts';
import { published } from '../number/published.ts';
import { serve } from '../number/run.ts';
import { service } from '../number/service.ts';
import { ENTRIES, sizeOf } from '../number/size.ts';
import { CLASSES, drawWorld, GONE } from '../number/world.ts';

const accountOf = (kind: KindName, seed: number) => {
  const world = drawWorld(kind, seed);
  return { world, account: drawAccount(world) };
};
const NEAR = [1, 2].map((seed) => {
  const { world, account } = accountOf('near', seed);
  return serve(world, service(world), account);
});

it('the everyday cases hold', () => {
  for (const { situation, required, found, ok } of cases())
    expect(ok, `${situation}: ${required}: ${found}`).toBe(true);
});

describe('the exact posterior', () => {
  it.each([
    [0, 0.02],
    [0.02, 0.1],
    [0.1, 0.5],
    [0.5, 1],
  ])('from %f to %f is what happens: as many mailboxes are gone as it says', (from, to) => {
    const among = NEAR.flatMap(({ answered }) => answered).flatMap(({ exact, gone }) =>
      exact !== null && exact >= from && exact < to ? [{ exact, gone }] : [],
    );
    const expected = among.reduce((sum, { exact }) => sum + exact, 0);
    const variance = among.reduce((sum, { exact }) => sum + exact * (1 - exact), 0);
    const gone = among.filter((each) => each.gone).length;
    // An address is asked about several times, so that its visits vary together.
    expect(Math.abs(gone - expected)).toBeLessThan(4 * Math.sqrt(2 * variance) + 2);
  });

  it('moves an address’s neighbours by what is known of it, and only them', () => {
    const { world, account } = accountOf('near', 3);
    const limit = new ExactPosterior(world);
    const [one] = account.addresses.filter(({ domain: { host } }) => !host.consumer);
    if (one === undefined) throw new Error('a world has businesses');
    const list = world.lists.find(({ index }) => index !== one.list.index) ?? one.list;
    const neighbour = { ...one, index: -1, list };
    const stranger = account.addresses.find((each) => each.domain !== one.domain && each.list !== one.list) ?? one;
    const bounced = CLASSES.indexOf('user_unknown');
    const [before, beforeBaseline] = [limit.posterior(neighbour, 100), limit.posterior(stranger, 180)];
    limit.add(one, [{ kind: 'report', at: one.first, class: bounced }]);
    expect(limit.posterior(neighbour, 100).probability).toBeGreaterThan(before.probability);
    expect(limit.posterior(stranger, 180).probability).toBe(beforeBaseline.probability);
    expect(limit.posterior(one, one.first).probability).toBeGreaterThan(0.5);
  });
});

describe('a world', () => {
  it('is the same from the same seed', () => {
    const [one, again] = [1, 2].map(() => {
      const { world, account } = accountOf('file, 12 % dead', 2);
      return serve(world, service(world), account);
    });
    expect(one).toEqual(again);
  });

  it.each([
    { kind: 'forged 5 %', says: 'an address reported the wrong way round is always' },
    { kind: 'bounces only', says: 'nothing that was delivered is reported' },
    { kind: 'outage of two days', says: 'Google refuses everybody while it is out of order' },
  ] as const)('$kind: $says', ({ kind }) => {
    const { world, account } = accountOf(kind, 1);
    const fates = account.visits.map((visit) => ({ visit, fate: fateOf(world, visit) }));
    const reported = fates.filter(({ fate }) => fate.reported !== null);
    const of = {
      'forged 5 %': ({ visit }: (typeof fates)[number]) => visit.address.forged,
      'bounces only': () => true,
      'outage of two days': ({ visit }: (typeof fates)[number]) =>
        visit.at >= 20 && visit.at < 22 && visit.address.domain.host.host.startsWith('google_'),
    }[kind];
    const among = reported.filter(of);
    expect(among.length).toBeGreaterThan(10);
    for (const { visit, fate } of among) {
      const [gone, word] = [truthAt(visit.address, visit.at).state === GONE, CLASSES[fate.reported ?? 0]];
      if (kind === 'forged 5 %') expect(word).toBe(gone ? 'delivered' : 'user_unknown');
      if (kind === 'bounces only') expect(['delivered', 'complaint']).not.toContain(word);
      if (kind === 'outage of two days') expect(word).toBe('user_unknown');
    }
  });

  it('has a visitor who invents local parts at the largest domains, none of whose mailboxes exists', () => {
    const { account } = accountOf('hostile visitor', 1);
    const invented = account.addresses.filter((address) => address.invented);
    expect(invented.length).toBe(5 * 6 * 4);
    for (const address of invented) expect(account.attacked.has(address.domain)).toBe(true);
  });

  it('has domains whose servers begin to answer otherwise', () => {
    const { world, account } = accountOf('catch-alls turn', 1);
    const turned = account.addresses.filter(({ domain }) => domain.turns.length === 1 && domain.acceptsAll === 1);
    const at = (day: (turn: number) => number): number =>
      turned.filter((address) => truthAt(address, day(address.domain.turns[0] ?? 0)).answer === 2).length /
      turned.length;
    expect(world.kind.turning).toBeGreaterThan(0);
    expect(turned.length).toBeGreaterThan(20);
    expect(at(() => 0)).toBeGreaterThan(0.8);
    expect(at((turn) => turn)).toBe(0);
  });

  it('has lists that were cleaned, where a vendor calls few rows undeliverable although many bounce', () => {
    const { account } = accountOf('bought, cleaned before', 1);
    const file = account.addresses.filter(({ list }) => list.day !== null);
    const gone = file.filter((address) => truthAt(address, address.first).state === GONE).length / file.length;
    expect(gone).toBeGreaterThan(0.03);
    expect(gone).toBeLessThan(0.25);
  });
});

describe('the service in a world', () => {
  it('receives only what is reported, once', () => {
    const { world, account } = accountOf('bounces only', 2);
    const heard: number[] = [];
    const own = service(world);
    const listening: Judge = { ...own, report: (_visit, kind) => void heard.push(kind) };
    serve(world, listening, account);
    expect(heard.length).toBeGreaterThan(0);
    expect(heard.length).toBeLessThanOrEqual(account.visits.length);
    expect(heard.map((kind) => CLASSES[kind])).not.toContain('delivered');
  });

  it('is near the exact posterior, before asking and after', () => {
    for (const when of ['before', 'after'] as const) {
      const total = (of: 'crossEntropy' | 'entropy'): number => NEAR.reduce((sum, score) => sum + score[when][of], 0);
      expect(total('crossEntropy') / total('entropy')).toBeLessThan(1.12);
    }
  });
});

it('the calibration error is how far bins lie from what became of them', () => {
  const bin = (count: number, probability: number, truth: number) => ({ count, probability, low: 0, high: 0, truth });
  expect(calibrationError([bin(100, 10, 10), bin(100, 50, 40)])).toBeCloseTo(0.05, 12);
});

it('every published figure is within a factor of five of ours', () => {
  for (const { what, published: theirs, ours } of published()) {
    expect(ours / theirs, what).toBeGreaterThan(0.2);
    expect(ours / theirs, what).toBeLessThan(5);
  }
});

it('the model is smaller than it has to be', () => {
  const { files, lines } = sizeOf(join(import.meta.dirname, '../..'), ENTRIES.model);
  expect(files).toBeGreaterThan(20);
  // 300 of them lead the judgement. Whole files are counted, and files of one subject were put together.
  expect(lines).toBeLessThanOrEqual(4_450);
});
