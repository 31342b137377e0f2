import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MODELS } from '../../support/models/models.ts';
import { START_MS } from '../../support/records.ts';

vi.setConfig({ testTimeout: 120_000 });

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  for (const level of ['info', 'warn', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => undefined);
});

describe('whatever the order of their steps, crashes among them', () => {
  it.each(Object.entries(MODELS))('%s', async (_, { property, cases }) => {
    // The same cases in every run; `npm run proof -- models` tries many more.
    await fc.assert(property(), { seed: 1, numRuns: cases, endOnFailure: true });
    expect.hasAssertions();
  });
});
