import { expect, it } from 'vitest';
import type { AdmitAnswer } from '../../../src/organisation/api.ts';
import { NO_HISTORY } from '../../../src/organisation/api.ts';
import { AdmissionMemory } from '../../../src/services/admission-memory.ts';
import { addressOf } from '../../support/addresses.ts';
import { ADMITTED } from '../../support/scripted-object.ts';

const ONE = 'org_1';
const UNKNOWN: AdmitAnswer = {
  ...ADMITTED,
  rules: { address: null, domain: null },
  history: NO_HISTORY,
  revision: 'r',
};

it('what was said of an address without a rule and a history is said again, without what is of its request alone', () => {
  const memory = new AdmissionMemory();
  const sent = { createdAt: 1, document: 'x'.repeat(200_000) };
  memory.note(ONE, 'a', { ...UNKNOWN, policy: { version: 1, enrichmentLeftMicros: 0, sent } });
  const { rate: _, earlier: __, ...said } = UNKNOWN;
  expect(memory.find(ONE, 'a')).toEqual(said);
  expect(memory.find(ONE, 'b')).toBeUndefined();
  expect(memory.find('org_2', 'a')).toBeUndefined();
});

it.each<[string, Partial<AdmitAnswer>]>([
  ['a rule on the address', { rules: { address: 'allow', domain: null } }],
  ['a rule on the domain', { rules: { address: null, domain: { rule: 'block', matchedDomain: 'acme.example' } } }],
  ['a history', { history: { ...NO_HISTORY, address: { ...addressOf(), contribution: null } } }],
])('what was said of an address with %s is not kept', (_, change) => {
  const memory = new AdmissionMemory();
  memory.note(ONE, 'a', { ...UNKNOWN, ...change });
  expect(memory.find(ONE, 'a')).toBeUndefined();
});

it('what a very large object says has no revision, and is not kept', () => {
  const memory = new AdmissionMemory();
  const { revision: _, ...before } = UNKNOWN;
  memory.note(ONE, 'a', before);
  expect(memory.find(ONE, 'a')).toBeUndefined();
});

it('one name or all of an organisation are forgotten', () => {
  const memory = new AdmissionMemory();
  for (const name of ['a', 'b', 'c']) memory.note(ONE, name, UNKNOWN);
  memory.drop(ONE, 'a');
  expect(['a', 'b'].map((name) => memory.find(ONE, name) !== undefined)).toEqual([false, true]);
  memory.forget(ONE);
  expect(memory.find(ONE, 'b')).toBeUndefined();
});
