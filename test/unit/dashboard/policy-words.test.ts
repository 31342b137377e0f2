import { expect, it } from 'vitest';
import type { Op } from '../../../dashboard/app/api/schema.ts';
import { conditionText } from '../../../dashboard/app/screens/policy/words.ts';

it.each<[Op, unknown, string]>([
  ['eq', 'free', 'email type is “Free”'],
  ['not_in', ['free', 'role'], 'email type is none of “Free”, “Role”'],
  ['exists', false, 'email type is missing'],
  ['sounds_like' as Op, 'free', 'email type sounds_like “Free”'],
])('a condition with %s is said with its value', (op, value, text) => {
  expect(conditionText({ path: 'verification.email_type', op, value })).toBe(text);
});
