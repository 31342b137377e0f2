import { describe, expect, it } from 'vitest';
import { SANDBOX, sandboxName } from '../../../src/domain/answer/sandbox.ts';
import { METERS, type Meter } from '../../../src/domain/metering/usage.ts';
import type { DomainError } from '../../../src/kernel/errors.ts';

const at = (email: string) => ({
  local: email.slice(0, email.indexOf('@')),
  domain: email.slice(email.indexOf('@') + 1),
  normalised: email,
});
const caseOf = (email: string, mode: 'test' | 'live' = 'test') => {
  const name = sandboxName({ mode }, at(email));
  return name === null ? null : (SANDBOX[name] ?? null);
};

describe('the sandbox', () => {
  it.each(Object.keys(SANDBOX))('has a case for %s@example.com, with a plus tag or without', (name) => {
    expect(caseOf(`${name}@example.com`)).toBe(SANDBOX[name]);
    expect(caseOf(`${name}+42@example.com`)).toBe(SANDBOX[name]);
  });

  it.each([
    ['under a live key', 'deliverable@example.com', 'live'],
    ['at another domain', 'deliverable@example.org', 'test'],
    ['of another name', 'ada@example.com', 'test'],
    ['whose name only begins like a case', 'deliverable.too@example.com', 'test'],
    ['named like what every object has', 'constructor@example.com', 'test'],
  ] as const)('has none for an address %s', (_, email, mode) => {
    expect(caseOf(email, mode)).toBeNull();
  });
});

describe('a refusal in the sandbox', () => {
  const refusal = (name: string, meter: Meter | null): DomainError | null =>
    caseOf(`${name}@example.com`)?.refuses?.(meter) ?? null;

  it.each(METERS.filter((meter) => meter !== 'check' && meter !== 'screen'))(
    'says of a spent quota on %s that the verifications are spent',
    (meter) => {
      expect(refusal('quota-exceeded', meter)).toMatchObject({
        code: 'quota_exceeded',
        message: expect.stringMatching(/verifications .* spent/),
      });
    },
  );

  it('names the screenings where their quota is spent', () => {
    expect(refusal('quota-exceeded', 'screen')).toMatchObject({
      code: 'screening_quota_exceeded',
      message: expect.stringMatching(/screenings .* spent/),
    });
  });

  it.each(['check', null] as const)('for a spent quota does not stop what has none: %s', (meter) => {
    expect(refusal('quota-exceeded', meter)).toBeNull();
  });

  it('for too many requests says so, and when the next may come', () => {
    for (const meter of [...METERS, null]) {
      const said = refusal('rate-limited', meter);
      expect(said).toMatchObject({ code: 'rate_limited', message: expect.stringMatching(/too many requests/i) });
      expect(said?.details.retryAfterS).toBeGreaterThan(0);
    }
  });

  it('for a bug is one that callers see as a bug of ours', () => {
    for (const meter of [...METERS, null])
      expect(refusal('internal-error', meter)).toMatchObject({
        code: 'simulated_bug',
        message: expect.stringMatching(/our side/),
      });
  });
});
