import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../../src/domain/answer/answer-shown.ts';
import type { HostClass } from '../../../src/domain/belief/host-class.ts';
import { MODEL } from '../../../src/domain/belief/model.ts';
import { believe } from '../../../src/domain/belief/posterior.ts';
import { type HostPrior, PRIOR_TABLE } from '../../../src/domain/belief/prior-table.ts';
import { NO_GROUNDS, recommend } from '../../../src/domain/router/losses.ts';
import { inputOf } from '../../support/any-belief.ts';
import { believeBaseline } from '../../support/beliefs.ts';
import { stakesFor } from '../router/route-input.ts';

const ROWS = Object.entries(PRIOR_TABLE) as [HostClass, HostPrior][];
const ORDINARY = ROWS.filter(([host]) => host !== 'disposable');

describe('the prior table', () => {
  it.each(ROWS)('%s counts no figure for more than 40 observations, and none for nothing', (_host, cells) => {
    const shares = cells.reduce((sum, { alpha }) => sum + alpha, 0);
    for (const { alpha, bounced, landed } of cells) {
      expect(Math.min(alpha, bounced, landed)).toBeGreaterThan(0);
      expect(bounced + landed).toBeLessThanOrEqual(40);
    }
    expect(shares).toBeLessThanOrEqual(40);
  });

  it.each(ROWS)('%s bounces most where the server refuses, least where it accepts', (_host, cells) => {
    const rate = ({ bounced, landed }: { bounced: number; landed: number }) => bounced / (bounced + landed);
    const accepts = cells.find(({ answer }) => answer === 'accepts');
    const refuses = cells.find(({ answer }) => answer === 'refuses');
    for (const cell of cells) {
      expect(rate(cell)).toBeGreaterThanOrEqual(rate(accepts ?? cell));
      expect(rate(cell)).toBeLessThanOrEqual(rate(refuses ?? cell));
    }
  });

  it.each(ORDINARY)('%s is sent to at signup on the prior alone', (host) => {
    expect(recommend(believe(inputOf({ host, purpose: 'signup' })), stakesFor('signup'), NO_GROUNDS, false)).toBe(
      'send',
    );
  });

  // A failed look-up doesn't exclude domains without mail.
  it.each(['business', 'consumer'] as const)(
    'a failed look-up leaves a %s address no better than any business host',
    (kind) => {
      const unresolved = believeBaseline(MODEL, `unresolved_${kind}`).probability;
      const businesses = ROWS.flatMap(([host]) =>
        host.endsWith('_business') ? [believeBaseline(MODEL, host).probability] : [],
      );
      expect(unresolved).toBeGreaterThanOrEqual(Math.max(...businesses) - 1e-12);
    },
  );

  it('takes a disposable mailbox for risky, not for gone', () => {
    expect(verdictOf(believeBaseline(MODEL, 'disposable'), false)).toBe('risky');
  });
});
