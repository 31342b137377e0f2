import { describe, expect, it } from 'vitest';
import type { PolicyDocument } from '../../../dashboard/app/api/schema.ts';
import { difference } from '../../../dashboard/app/screens/policy/difference.ts';
import {
  numberLimit,
  SWITCHES,
  switchState,
  withNumberLimit,
  withSwitch,
} from '../../../dashboard/app/screens/policy/draft.ts';
import { DEFAULT_POLICY } from '../../../src/domain/policy/default-policy.ts';

const BEGINNING: PolicyDocument = { ...DEFAULT_POLICY, rules: [...DEFAULT_POLICY.rules] as PolicyDocument['rules'] };
const ids = ({ rules }: PolicyDocument) => rules.map(({ id }) => id);

describe('a switch', () => {
  it('shows what the policy that an organisation begins with does', () => {
    expect(Object.fromEntries(SWITCHES.map((type) => [type, switchState(BEGINNING, type)]))).toEqual({
      disposable: 'deny',
      relay: 'allow',
      role: 'allow',
      free: 'allow',
    });
  });

  it.each(SWITCHES)('of %s shows what it was set to, whatever it was before, and makes one rule', (type) => {
    for (const first of ['none', 'allow', 'review', 'challenge', 'deny'] as const)
      for (const second of ['none', 'allow', 'review', 'challenge', 'deny'] as const) {
        const changed = withSwitch(withSwitch(BEGINNING, type, first), type, second);
        expect(switchState(changed, type)).toBe(second);
        expect(ids(changed).filter((id) => id === type)).toHaveLength(second === 'none' ? 0 : 1);
        expect(ids(changed).filter((id) => id !== type)).toEqual(ids(BEGINNING).filter((id) => id !== type));
      }
  });

  it('denies before every other rule, and allows behind every reason against an address', () => {
    expect(ids(withSwitch(BEGINNING, 'free', 'deny'))[0]).toBe('free');
    expect(ids(withSwitch(BEGINNING, 'disposable', 'allow')).at(-1)).toBe('disposable');
    const asked = ids(withSwitch(BEGINNING, 'free', 'challenge'));
    expect(asked.indexOf('free')).toBe(asked.indexOf('undeliverable') + 1);
  });

  it('leaves a rule alone that it could not have made, and says so', () => {
    const own = {
      id: 'mine',
      when: { path: 'verification.email_type', op: 'in', value: ['free', 'relay'] },
      decision: 'deny',
    } as const;
    const document = { ...BEGINNING, rules: [own as never, ...BEGINNING.rules.filter(({ id }) => id !== 'free')] };
    expect(switchState(document, 'free')).toBe('custom');
  });
});

it('a limit on the number is read as it was set, and goes without a trace', () => {
  const limited = withNumberLimit(BEGINNING, 0.4, 'deny');
  expect([numberLimit(limited), ids(limited)[0]]).toEqual([0.4, 'number']);
  expect(withNumberLimit(limited, null, 'deny')).toEqual(BEGINNING);
  expect(numberLimit(BEGINNING)).toBeNull();
});

it('a difference names the lines that went and came, with those around', () => {
  const lines = difference('a\nb\nc\nd\ne\nf', 'a\nb\nc\nX\ne\nf').map(({ sign, text }) => `${sign}${text}`);
  expect(lines.toSorted()).toEqual([' b', ' c', ' e', ' f', '+X', '-d']);
  expect(difference('a\nb', 'a\nb').every(({ sign }) => sign === ' ')).toBe(true);
});
