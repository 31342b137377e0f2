import { describe, expect, it } from 'vitest';
import { experimentsOf } from '../../../src/domain/insights/experiments.ts';
import { rateSegments } from '../../../src/domain/insights/segments.ts';

describe('rateSegments', () => {
  const cells = [
    { key: {}, exposures: 1_000, events: 100 },
    { key: { esp: 'self_hosted' }, exposures: 30, events: 0 },
    { key: { esp: 'unknown' }, exposures: 29, events: 29 },
  ];

  it('rates segments of 30 exposures or more, and names the others without', () => {
    const { segments, too_few } = rateSegments(cells);
    expect(segments).toMatchObject([{ key: { esp: 'self_hosted' }, exposures: 30, events: 0 }]);
    expect(too_few).toEqual([{ key: { esp: 'unknown' }, exposures: 29 }]);
  });

  it('gives no segments for no counts', () => {
    expect(rateSegments([])).toEqual({ segments: [], too_few: [] });
  });
});

describe('experimentsOf', () => {
  const when = { path: 'verification.email_type', op: 'eq', value: 'free' } as const;
  const experiment = { id: 'e', weight: 50, min_sample: 100, guardrails: ['support_ticket'] };
  const rules = [
    { id: 'a', when, decision: 'review' as const, experiment },
    { id: 'b', when, decision: 'deny' as const },
  ];
  const arm = (name: string, exposures: number, subscribed: number) => ({
    experiment: `signup e ${name}`,
    exposures,
    events: {
      subscribed,
      support_ticket: 3,
    },
  });

  it('shows both arms with their rates once each has its sample', () => {
    const counts = [arm('treatment', 100, 30), arm('control', 400, 40)];
    const [found, ...others] = experimentsOf('signup', rules, counts, 'subscribed');
    expect(others).toEqual([]);
    expect(found).toMatchObject({ id: 'e', rule_id: 'a', weight: 50, min_sample: 100, ready: true });
    expect(found?.arms).toMatchObject([
      { arm: 'treatment', exposures: 100, events: 30 },
      { arm: 'control', exposures: 400, events: 40 },
    ]);
    expect(found?.probability_better).toBeGreaterThan(0.99);
    expect(found?.guardrails).toMatchObject([{ event: 'support_ticket', arms: [{ events: 3 }, { events: 3 }] }]);
    const fewer = experimentsOf(
      'signup',
      rules,
      [{ ...arm('treatment', 100, 0), events: { churned: 30 } }, arm('control', 400, 0)],
      'churned',
    );
    expect(fewer[0]?.probability_better).toBeLessThan(0.01);
  });

  it('says neither arm is better before the first event', () => {
    const counts = [arm('treatment', 500, 0), arm('control', 4_000, 0)].map((one) => ({ ...one, events: {} }));
    const alike = [arm('treatment', 500, 0), arm('control', 500, 0)].map((one) => ({ ...one, events: {} }));
    expect(experimentsOf('signup', rules, alike, 'subscribed')[0]?.probability_better).toBeCloseTo(0.5, 6);
    const [found] = experimentsOf('signup', rules, counts, 'subscribed');
    expect(found?.probability_better).toBeGreaterThan(0.5);
    expect(found?.arms[0]?.ci?.[1]).toBeGreaterThan(found?.arms[1]?.ci?.[1] ?? 1);
  });

  it('shows no rate while one arm has too few', () => {
    const [found] = experimentsOf('signup', rules, [arm('treatment', 99, 30), arm('control', 400, 40)], 'subscribed');
    expect(found).toMatchObject({ ready: false, probability_better: null });
    expect(found?.arms.map(({ rate, ci }) => [rate, ci])).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  it('counts nothing of another policy’s', () => {
    const [found] = experimentsOf('other', rules, [arm('treatment', 100, 30)], 'subscribed');
    expect(found?.arms.map(({ exposures }) => exposures)).toEqual([0, 0]);
  });
});
