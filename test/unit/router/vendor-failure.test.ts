import { expect, it } from 'vitest';
import { kindOfStatus, RETRYABLE } from '../../../src/domain/router/provider-health.ts';

it.each([
  [202, 'pending', true],
  [249, 'pending', true],
  [299, 'pending', true],
  [300, 'unreachable', true],
  [399, 'unreachable', true],
  [400, 'refused', false],
  [401, 'unauthorized', false],
  [402, 'no_credit', false],
  [403, 'unauthorized', false],
  [404, 'unreachable', true],
  [405, 'unreachable', true],
  [410, 'unreachable', true],
  [429, 'rate_limited', true],
  [451, 'refused', false],
  [499, 'refused', false],
  [500, 'server_error', true],
  [503, 'server_error', true],
] as const)('a vendor’s status %d means %s; whether it may answer later: %s', (status, kind, mayAnswerLater) => {
  expect(kindOfStatus(status)).toBe(kind);
  expect(RETRYABLE.has(kind)).toBe(mayAnswerLater);
});
