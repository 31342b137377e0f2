import { expect, it } from 'vitest';
import type { PolicyCondition } from '../../../dashboard/app/api/schema.ts';
import { conditionOf, joinedOf } from '../../../dashboard/app/screens/policy/conditions.ts';
import { readPolicy } from '../../../dashboard/app/screens/policy/places.ts';

const RULE = { id: 'a', when: { path: 'verification.email_type', op: 'eq', value: 'free' }, decision: 'deny' };
const policyOf = (change: object, more: object = {}): string =>
  JSON.stringify({ name: 'P', rules: [{ ...RULE, ...change }], default: 'allow', ...more }, null, 1);
const linesOf = (text: string) => readPolicy(text).faults.map(({ line, at, problem }) => `${line}: ${at} ${problem}`);

it.each([
  ['{ "a": 1\n "b": 2 }', /^2: {2}Unexpected token/],
  ['{ "a": 1 // one\n}', /^1: {2}Unexpected/],
  ['', /^1: {2}Unexpected end of input/],
])('%j is no JSON, and the line is named', (text, said) => {
  expect(readPolicy(text).document).toBeNull();
  expect(linesOf(text)[0]).toMatch(said);
});

it.each([
  ['[]', 'null:  The policy must be an object'],
  [policyOf({ decision: 'denny' }), '11: rules[0].decision must be one of'],
  [policyOf({ decision: undefined }), '4: rules[0].decision is required'],
  [policyOf({ when: { ...RULE.when, path: 'verification.email_typ' } }), '7: rules[0].when.path '],
  [policyOf({}, { icp: { regions: ['eu'] } }), '16: icp.regions '],
])('%j is no policy by the rules of the service, and the line is named', (text, said) => {
  expect(readPolicy(text).document).toBeNull();
  expect(linesOf(text)[0]?.startsWith(said), linesOf(text)[0]).toBe(true);
});

it('a policy is read unchanged', () => {
  expect(readPolicy(policyOf({}, { icp: null }))).toEqual({
    document: JSON.parse(policyOf({}, { icp: null })),
    faults: [],
  });
});

const [ONE, TWO] = ['free', 'role'].map((value) => ({ ...RULE.when, value })) as [PolicyCondition, PolicyCondition];

it.each<[PolicyCondition]>([
  [ONE],
  [{ all: [ONE, TWO] }],
  [{ any: [ONE, TWO] }],
  [{ not: ONE }],
  [{ not: { any: [ONE, TWO] } }],
  [{ not: { all: [ONE, TWO] } }],
  [{ any: [{ all: [ONE, { not: TWO }] }, TWO] }],
])('the editor of conditions gives back what it was given: %j', (when) => {
  expect(conditionOf(joinedOf(when))).toEqual(when);
});
