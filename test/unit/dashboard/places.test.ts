import { expect, it } from 'vitest';
import type { Fault } from '../../../dashboard/app/screens/policy/fault.ts';
import { readJson } from '../../../dashboard/app/screens/policy/json-text.ts';
import { readPolicy } from '../../../dashboard/app/screens/policy/places.ts';

it.each([
  ['{ "rules": [\n [\n { "id": "a" }\n],\n "default": "allow" }', 'Line 1: the [ is not closed'],
  ['{\n "rules": [\n [{ "id": "a" }]\n}', 'Line 2: the [ is not closed'],
  ['[\n{ "rules": [] }\n', 'Line 1: the [ is not closed'],
  ['{ "rules":\n [{ "id": "]}[" ]}', 'Line 2: the { is not closed'],
  ['{ "a": "\\"[",\n "b": { "c": 1 \n', 'Line 2: the { is not closed'],
  ['{ "a": 1\n "b": 2 }', 'Line 2: a comma is missing before this'],
  ['[{ "a": 1 }\n{ "b": 2 }]', 'Line 2: a comma is missing before this'],
  ['{ "a": "x"\n "b": 2 }', 'Line 2: a comma is missing before this'],
  ['{ "a"\n "b" }', 'Line 2: a colon is missing before this'],
  ['{ "a":\n}', 'Line 2: a value is missing before this'],
  ['{ "a": [1,\n] }', 'Line 1: remove this comma: no value follows it'],
  ['{ "a": [1,\n, 2] }', 'Line 2: remove this comma: one stands before it'],
  ['{ "rules": [\n { "decision": deny }\n] }', 'Line 2: put `deny` in double quotes'],
  ['{ "rules": [\n { decision: "deny" }\n] }', 'Line 2: put `decision` in double quotes'],
  ['{ "a": True }', 'Line 1: write `true`, not `True`'],
  ['{ "a": nul }', 'Line 1: put `nul` in double quotes'],
  ['{\n "a": truely }', 'Line 2: put `truely` in double quotes'],
  ["{ 'a': 1 }", 'Line 1: use double quotes, as "deny"'],
  ['{ "a": 1 // one\n}', 'Line 1: remove this: JSON takes no comments'],
  ['{ "a": 1.\n}', 'Line 1: the text is not JSON here'],
  ['{ "a": "one\ntwo",\n "b": 1 }', 'Line 1: the text in double quotes is not closed on this line'],
  ['{ "a": position 3 }', 'Line 1: put `position` in double quotes'],
  ['', 'Line 1: the text is empty'],
  ['{}}', 'Line 1: the } closes nothing'],
  ['{\n "rules": [\n  {"id":"a"}\n ]]\n}', 'Line 4: the ] closes nothing'],
  ['{\n"a": {"b":1}\n]\n}', 'Line 3: the ] closes nothing'],
  ['{ "a": [{ "b": 1, }] }', 'Line 1: remove this comma: no value follows it'],
])('%j: %s', (text, said) => {
  const read = readJson(text);
  if (!('fault' in read)) throw new Error('it is JSON');
  expect(`Line ${read.fault.line}: ${read.fault.problem}`).toBe(said);
});

const RULE = { id: 'a', when: { path: 'verification.email_type', op: 'eq', value: 'free' }, decision: 'deny' };
const policyOf = (change: object, more: object = {}): string =>
  JSON.stringify({ name: 'P', rules: [{ ...RULE, ...change }], default: 'allow', ...more }, null, 1);
const when = (change: object): string => policyOf({ when: { ...RULE.when, ...change } });

const linesOf = (faults: readonly Fault[]): readonly string[] =>
  faults.map(({ line, problem }) => (line === null ? problem : `${line}: ${problem}`));

it.each<[string, string[]]>([
  [policyOf({}), []],
  [policyOf({}, { icp: null }), []],
  [when({ path: 'attributes.plan', op: 'in', value: ['a', 1, true] }), []],
  [policyOf({ when: { all: [{ not: RULE.when }] } }), []],
  ['[]', ['The policy has to be an object in { }']],
  ['null', ['The policy has to be an object in { }']],
  ['{ "name": "P", "rules": [] }', ['The policy has no `default`']],
  [policyOf({ decision: undefined, decison: 'deny' }), ['4: Rule a has no `decision`']],
  [policyOf({ decision: 'denny' }), ['11: `denny` is unknown. Did you mean `deny`?']],
  [policyOf({ decision: 5 }), ['11: Rule a: `decision` has to be text in double quotes']],
  [policyOf({ id: 5 }), ['5: The rule at place 1: `id` has to be text in double quotes']],
  [
    policyOf({}, { default: 'constructor' }),
    ['14: `constructor` is unknown. Use `allow`, `allow_with_flow`, `review`, `challenge`, and `deny`'],
  ],
  [
    policyOf({ experiment: { id: 'x', weight: '20', min_sample: 1 } }),
    ['14: The experiment of rule a: `weight` has to be a number'],
  ],
  [policyOf({ flow: {} }), ['12: Rule a: `flow` has to be text in double quotes']],
  [
    when({ path: 'attributes.Plan' }),
    ['7: `attributes.Plan` is unknown: after `attributes.` stand up to 64 of a-z, 0-9 and _, a letter first'],
  ],
  [
    policyOf({ when: { op: 'eq', value: 1, more: 1 } }),
    ['6: Rule a: a condition has `path`, `op` and `value`, or `all`, `any` or `not`'],
  ],
  [
    when({ op: 'gt' }),
    ['8: `gt` does not suit `verification.email_type`. Use one of `eq`, `ne`, `in`, `not_in`, `exists`'],
  ],
  [when({ op: 'in' }), ['9: Rule a: `value` has to be a list in [ ], each text in double quotes']],
])('names what keeps a text from being a policy, in the order of its lines: %#', (text, said) => {
  const { document, faults } = readPolicy(text);
  expect(linesOf(faults)).toEqual(said);
  expect(document === null).toBe(said.length > 0);
});

const HERE = (word: string): string => `This page does not know \`${word}\`; the service decides.`;

it.each<[string, string[]]>([
  [policyOf({}), []],
  [
    when({ path: 'verification.email_typ' }),
    [`7: ${HERE('verification.email_typ')} Did you mean \`verification.email_type\`?`],
  ],
  [when({ path: 'email_type' }), [`7: ${HERE('email_type')} Did you mean \`verification.email_type\`?`]],
  [
    when({ path: 'weather', op: 'gt', value: [] }),
    [`7: ${HERE('weather')} The form of a rule lists what the page knows`],
  ],
  [when({ op: 'equ' }), [`8: ${HERE('equ')} Did you mean \`eq\`?`]],
  [
    policyOf({ until: 5 }),
    [`12: ${HERE('until')} It knows \`id\`, \`description\`, \`when\`, \`decision\`, \`flow\`, and \`experiment\``],
  ],
  [
    policyOf({}, { icp: { regions: ['eu'] } }),
    [`16: ${HERE('regions')} It knows \`industries\`, \`employees_ranges\`, \`countries\`, and \`seniorities\``],
  ],
  [
    policyOf({ when: { none: [] } }),
    [`7: ${HERE('none')} It knows \`path\`, \`op\`, \`value\`, \`all\`, \`any\`, and \`not\``],
  ],
  [
    when({ path: 'verification.email_typ', op: 'equ', vale: 1 }),
    [
      `7: ${HERE('verification.email_typ')} Did you mean \`verification.email_type\`?`,
      `8: ${HERE('equ')} Did you mean \`eq\`?`,
      `10: ${HERE('vale')} Did you mean \`value\`?`,
    ],
  ],
])('takes what only a newer service may know, with a hint at its line: %#', (text, said) => {
  const { document, faults, hints } = readPolicy(text);
  expect(linesOf(hints)).toEqual(said);
  expect(faults).toEqual([]);
  expect(document).toEqual(JSON.parse(text));
});
