import { describe, expect, it } from 'vitest';
import { checkCondition } from '../../../src/domain/policy/conditions.ts';
import { ICP_FITS } from '../../../src/contract/words.ts';

/** The faults of a condition as `position: problem`, and how many comparisons were counted. */
function check(condition: unknown) {
  const faults: string[] = [];
  let count = 0;
  checkCondition(
    condition,
    'when',
    (at, problem) => void faults.push(`${at}: ${problem}`),
    () => void (count += 1),
  );
  return { faults, count };
}

const FITS = ICP_FITS.join(', ');
const plan = (op: string, value?: unknown) => ({
  path: 'attributes.plan',
  op,
  ...(value === undefined ? {} : { value }),
});
const compared = (path: string, op: string, value?: unknown) => ({
  path,
  op,
  ...(value === undefined ? {} : { value }),
});
/** A comparison below this many `not`s. */
const nested = (depth: number): unknown => (depth === 0 ? plan('eq', 'free') : { not: nested(depth - 1) });

/** The same below this many groups. */
const grouped = (depth: number): unknown =>
  depth === 0 ? plan('eq', 'free') : { [depth % 2 === 0 ? 'all' : 'any']: [grouped(depth - 1)] };

describe('a condition is refused, with where and why:', () => {
  it.each<readonly [title: string, condition: unknown, ...faults: string[]]>([
    ['none', undefined, 'when: is required'],
    ['a text', 'x', 'when: must be an object'],
    ['null', null, 'when: must be an object'],
    ['an empty object', {}, 'when: must have `all`, `any`, `not`, or `path`, `op` and `value`'],
    [
      'a member of no kind of condition',
      { every: [] },
      'when.every: is not a known member',
      'when: must have `all`, `any`, `not`, or `path`, `op` and `value`',
    ],
    ['`all` beside `any`', { all: [plan('exists', true)], any: [] }, 'when.any: is not a known member'],
    ['an empty `all`', { all: [] }, 'when.all: must not be empty'],
    ['`any` without a list', { any: {} }, 'when.any: must be a list'],
    ['more than 50 children', { any: Array(51).fill(plan('eq', 'a')) }, 'when.any: must have at most 50 entries'],
    ['an empty `not`', { not: undefined }, 'when.not: is required'],
    ['a child deep inside', { all: [{ not: 'x' }] }, 'when.all[0].not: must be an object'],
    ['more than 8 levels', nested(8), `when${'.not'.repeat(8)}: is nested deeper than 8 levels`],
    ['more than 8 levels of groups', grouped(8), `when${'.all[0].any[0]'.repeat(4)}: is nested deeper than 8 levels`],
    [
      'an operator that the path does not have',
      compared('icp.fit', 'gt', 1),
      'when.op: does not suit this path: use one of eq, ne, in, not_in, exists',
    ],
    ['no operator', { path: 'icp.fit', value: 'x' }, 'when.op: is required'],
    ['no value', plan('eq'), 'when.value: is required'],
    ['`exists` without true or false', plan('exists', 'yes'), 'when.value: must be true or false'],
    ['a text for an order', plan('gt', '7'), 'when.value: must be a number'],
    ['a text for an order, at most', plan('lte', '7'), 'when.value: must be a number'],
    ['a text for an order, below', plan('lt', '7'), 'when.value: must be a number'],
    ['a text for an order, at least', plan('gte', '7'), 'when.value: must be a number'],
    ['a number for a part of a text', plan('contains', 7), 'when.value: must be text'],
    ['a number for a beginning', plan('starts_with', 7), 'when.value: must be text'],
    ['a number for an end', plan('ends_with', 7), 'when.value: must be text'],
    ['a number for a truth', compared('verification.signals.mx', 'eq', 1), 'when.value: must be true or false'],
    ['a word that the path never has', compared('icp.fit', 'eq', 'x'), `when.value: must be one of ${FITS}`],
    ['a number for a word', compared('icp.fit', 'ne', 1), `when.value: must be one of ${FITS}`],
    [
      'a reason that is never given',
      compared('verification.reasons', 'contains', 'x'),
      expect.stringMatching(/^when\.value: must be one of .+, .+/),
    ],
    [
      'a country by its name',
      compared('company.country', 'eq', 'Germany'),
      'when.value: must be an ISO 3166-1 alpha-2 code',
    ],
    ['a country as a number', compared('company.country', 'eq', 49), 'when.value: must be an ISO 3166-1 alpha-2 code'],
    ['an object for an attribute', plan('eq', {}), 'when.value: must be text, a number or true or false'],
    ['null for an attribute', plan('eq', null), 'when.value: must be text, a number or true or false'],
    [
      'a number without an end',
      plan('eq', Number.POSITIVE_INFINITY),
      'when.value: must be text, a number or true or false',
    ],
    ['a blank text', plan('eq', ' '), 'when.value: must not be empty'],
    ['a text of more than 256 characters', plan('eq', 'a'.repeat(257)), 'when.value: must be at most 256 characters'],
    ['a list that is none', plan('in', 'free'), 'when.value: must be a list'],
    ['an empty list', plan('not_in', []), 'when.value: must not be empty'],
    ['more than 100 values', plan('not_in', Array(101).fill('a')), 'when.value: must have at most 100 entries'],
    ['one value of a list', plan('in', ['free', {}]), 'when.value[1]: must be text, a number or true or false'],
    ['one value of a list that is left out', plan('not_in', ['free', ' ']), 'when.value[1]: must not be empty'],
  ])('%s', (_, condition, ...faults) => {
    expect(check(condition).faults).toEqual(faults);
  });
});

describe('a condition is taken:', () => {
  it.each<readonly [title: string, condition: unknown, count: number]>([
    ['a comparison', plan('eq', 'free'), 1],
    ['8 levels', nested(7), 1],
    ['8 levels of groups', grouped(7), 1],
    ['50 children', { any: Array(50).fill(plan('eq', 'a')) }, 50],
    ['100 values', plan('in', Array(100).fill('a')), 1],
    ['a text of 256 characters', plan('eq', 'a'.repeat(256)), 1],
    ['an attribute that is a number', plan('eq', 7), 1],
    ['an attribute that is true or false', plan('ne', false), 1],
    ['an attribute in order', plan('gte', 7), 1],
    ['whether there is one', plan('exists', false), 1],
    ['a reason among several', compared('verification.reasons', 'contains', 'no_mx'), 1],
    ['a country', compared('company.country', 'in', ['DE', 'FR']), 1],
    ['both kinds of group', { all: [plan('eq', 'a'), { any: [plan('eq', 'b'), { not: plan('eq', 'c') }] }] }, 3],
  ])('%s', (_, condition, count) => {
    expect(check(condition)).toEqual({ faults: [], count });
  });
});
