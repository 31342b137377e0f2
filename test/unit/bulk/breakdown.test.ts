import { describe, expect, it } from 'vitest';
import { LargestDomains, NO_BREAKDOWN, breakdownOf, together } from '../../../src/domain/bulk/breakdown.ts';
import { CHECKED_ROW } from '../../support/records.ts';

describe('the breakdown of a job', () => {
  const rows = [
    { kind: CHECKED_ROW, hostFamily: 'google' },
    { kind: { ...CHECKED_ROW, recommendation: 'drop', reason: 'no_mx', basis: 'rule' }, hostFamily: 'unknown' },
    {
      kind: {
        ...CHECKED_ROW,
        meantDomain: 'gmail.com',
        emailType: 'unknown',
        basis: 'provider',
        warning: 'spam_trap',
        decision: { decision: 'deny', ruleId: 'typo' },
      },
      hostFamily: 'google',
    },
    { kind: { status: 'error' }, hostFamily: 'unknown' },
  ] as const;

  it('counts what each checked address is; rows without a check stand nowhere', () => {
    expect(breakdownOf(rows)).toEqual({
      basis: { local: 1, rule: 1, provider: 1 },
      warning: { spam_trap: 1 },
      recommendation: { send: 2, drop: 1 },
      emailType: { business: 2, unknown: 1 },
      reason: { no_mx: 1 },
      hostFamily: { google: 2, unknown: 1 },
      decision: { deny: 1 },
      slips: 1,
    });
  });

  it('is the sum of its chunks, in whatever order they end', () => {
    const [one, other] = [breakdownOf(rows.slice(0, 1)), breakdownOf(rows.slice(1))];
    expect(together(together(NO_BREAKDOWN, one), other)).toEqual(breakdownOf(rows));
    expect(together(other, one)).toEqual(breakdownOf(rows));
  });
});

describe('the largest domains of a file', () => {
  const listed = (sizes: Readonly<Record<string, number>>) => {
    const largest = new LargestDomains(100);
    for (const [number, [domain, size]] of Object.entries(sizes).entries()) {
      const bytes = new TextEncoder().encode(`ada@${domain}`);
      for (let i = 0; i < size; i += 1) largest.count(number, bytes, 4, bytes.length);
    }
    return largest.list().map(({ domain, addresses }) => [domain, addresses]);
  };

  it('are in order of their size; those with fewer than five addresses are not named', () => {
    expect(listed({ 'small.example': 4, 'b.example': 5, 'a.example': 5, 'large.example': 9 })).toEqual([
      ['large.example', 9],
      ['a.example', 5],
      ['b.example', 5],
    ]);
  });

  it('are twenty at most, and no text that is no domain', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`d${i}.example`, 5 + i]));
    expect(listed({ ...many, 'not a domain': 50, '': 60 })).toHaveLength(20);
    expect(listed({ 'not a domain': 50, 'ada@x': 60 })).toEqual([]);
  });
});
