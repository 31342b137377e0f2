import { describe, expect, it } from 'vitest';
import { storedTextFault } from '../../../src/contract/stored-text.ts';
import {
  type WeeklyCount,
  findWeakSegments,
  isValidRule,
  recommendationOf,
  ruleFor,
} from '../../../src/domain/insights/recommend.ts';
import { rateSegments, type SegmentKey } from '../../../src/domain/insights/segments.ts';
import { parsePolicy } from '../../../src/domain/policy/document.ts';

const cell = (key: SegmentKey, exposures: number[], events: number[]): WeeklyCount => ({ key, exposures, events });
const ALL = cell({}, [5_000, 5_000], [500, 500]);
const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
const keysOf = (cells: WeeklyCount[]) => findWeakSegments([ALL, ...cells]).map(({ key }) => key);

describe('a segment is recommended', () => {
  it.each<[string, WeeklyCount, boolean]>([
    ['that does far worse', cell({ esp: 'self_hosted' }, [500, 500], [20, 20]), true],
    ['unless it has fewer than 100 exposures', cell({ esp: 'self_hosted' }, [50, 49], [0, 0]), false],
    ['unless it does as well', cell({ esp: 'self_hosted' }, [500, 500], [50, 50]), false],
    ['unless it does better', cell({ esp: 'self_hosted' }, [500, 500], [90, 90]), false],
    ['by an attribute', cell({ 'attributes.plan': 'team' }, [500, 500], [20, 20]), true],
    ['by what it is not', cell({ 'signals.disposable': false }, [500, 500], [20, 20]), true],
    ['unless it is the rest of an attribute', cell({ 'attributes.plan': 'other' }, [500, 500], [20, 20]), false],
    ['unless it is a fit that was not asked for', cell({ 'icp.fit': 'unknown' }, [500, 500], [20, 20]), false],
    ['unless it is a decision', cell({ decision: 'review' }, [500, 500], [20, 20]), false],
    ['unless it is a rule', cell({ rule_id: 'a' }, [500, 500], [20, 20]), false],
    ['unless it has a decision in it', cell({ decision: 'review', esp: 'unknown' }, [500, 500], [20, 20]), false],
  ])('%s', (_, segment, isThere) => {
    expect(keysOf([segment])).toEqual(isThere ? [segment.key] : []);
  });

  it('not for being new: weeks that had no time for events yet are compared with each other', () => {
    const young = cell({}, [5_000, 5_000], [50, 1_000]);
    const newer = cell({ esp: 'self_hosted' }, [900, 100], [9, 20]);
    expect(findWeakSegments([young, newer])).toEqual([]);
  });

  it('with the rate that its segment shows', () => {
    const small = Array.from({ length: 30 }, (_, i) => cell({ 'company.industry': `i${i}` }, [40, 40], [8, 8]));
    const cells = [ALL, cell({ 'company.industry': 'Mining' }, [150, 150], [6, 6]), ...small];
    const { segments } = rateSegments(
      cells.map(({ key, exposures, events }) => ({ key, exposures: total(exposures), events: total(events) })),
    );
    const [found] = findWeakSegments(cells);
    const shown = segments.find(({ key }) => key['company.industry'] === 'Mining');
    expect(found?.key).toEqual(shown?.key);
    expect(found?.rate).toBeCloseTo(shown?.rate ?? 0, 6);
  });

  it('as a pair only if neither part is', () => {
    const part = cell({ esp: 'self_hosted' }, [500, 500], [20, 20]);
    const pairs = [
      cell({ esp: 'self_hosted', mailbox_type: 'role' }, [300, 300], [5, 5]),
      cell({ actor_class: 'shared', mailbox_type: 'role' }, [300, 300], [5, 5]),
    ];
    expect(keysOf([part, ...pairs])).toEqual([{ esp: 'self_hosted' }, pairs[1]?.key]);
    expect(keysOf(pairs)).toHaveLength(2);
  });

  it('up to ten times, what costs most first, equals by their name, whatever the order of the counts', () => {
    const cells = Array.from({ length: 14 }, (_, i) =>
      cell({ 'company.industry': `i${String(i).padStart(2, '0')}` }, [300 + (i >> 1) * 50], [2]),
    );
    const [exposures, events] = [[10_000], [1_000]];
    const listed = (list: WeeklyCount[]) => findWeakSegments([cell({}, exposures, events), ...list]);
    const found = listed(cells);
    expect(found).toHaveLength(10);
    const missing = found.map((one) => one.exposures * (one.baseline - one.rate));
    expect(missing).toEqual([...missing].sort((a, b) => b - a));
    expect(found[0]?.key).toEqual({ 'company.industry': 'i12' });
    expect(listed([...cells].reverse())).toEqual(found);
  });
});

describe('a recommendation', () => {
  const [finding] = findWeakSegments([ALL, cell({ esp: 'self_hosted', 'icp.fit': 'none' }, [500, 500], [20, 20])]);

  it('names an action that is never deny, a rule a policy takes, its evidence and a sentence', () => {
    if (finding === undefined) throw new Error('nothing was found');
    const made = recommendationOf('subscribed', 90, finding);
    expect(made).toMatchObject({
      proposed_action: 'review',
      proposed_action_alternatives: ['challenge', 'deny'],
      try_as_experiment: { weight: 20, min_sample: 400 },
      evidence: { segment: finding.key, exposures: 1_000, events: 40, baseline: 0.1 },
    });
    expect(made.evidence.probability).toBeGreaterThan(0.95);
    expect(made.rule.when).toEqual({
      all: [
        { path: 'verification.esp', op: 'eq', value: 'self_hosted' },
        { path: 'icp.fit', op: 'eq', value: 'none' },
      ],
    });
    const tried = { ...made.rule, experiment: { id: 'try', ...made.try_as_experiment } };
    expect(parsePolicy({ name: 'x', rules: [tried], default: 'allow' }, storedTextFault)).toMatchObject({ ok: true });
    expect(made.says).toContain('esp is self_hosted and icp.fit is none');
    expect(recommendationOf('subscribed', 30, finding).id).toBe(made.id);
    expect(recommendationOf('activated', 90, finding).id).not.toBe(made.id);
  });

  it.each<SegmentKey>([
    { mailbox_type: 'consumer' },
    { esp: 'hosted_suite_a' },
    { actor_class: 'shared' },
    { 'signals.disposable': true },
    { 'signals.role_account': false },
    { 'company.industry': 'Retail' },
    { 'company.employees_range': '11-50' },
    { 'company.country': 'DE' },
    { 'person.seniority': 'senior' },
    { 'icp.fit': 'partial' },
    { 'attributes.plan': 'team' },
    { 'attributes.seats': 5 },
    { 'attributes.paid': true },
  ])('can be a rule for %j', (key) => {
    expect(
      parsePolicy({ name: 'x', rules: [ruleFor('subscribed', key)], default: 'allow' }, storedTextFault),
    ).toMatchObject({
      ok: true,
    });
  });

  it('is made only of what a rule can name', () => {
    expect(isValidRule('subscribed', { 'attributes.plan': ' ' }, storedTextFault)).toBe(false);
  });
});
