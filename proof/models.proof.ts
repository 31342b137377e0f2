import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MODELS } from '../test/support/models/models.ts';
import { START_MS } from '../test/support/records.ts';
import { writeFindings } from './document.ts';
import { CASES, SEED } from './support/settings.ts';

const rows: (string | number)[][] = [];

vi.setConfig({ testTimeout: 3_600_000 });

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  for (const level of ['info', 'warn', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('whatever the order of their steps, crashes among them', () => {
  it.each(Object.entries(MODELS))('%s', async (holds, { property, steps }) => {
    const { failed, numRuns, counterexample } = await fc.check(property(), { seed: SEED, numRuns: CASES });
    rows.push([holds, steps, numRuns, failed ? `**broken** by ${fc.stringify(counterexample)}` : 'holds']);
    expect(failed).toBe(false);
  });
});

afterAll(() => {
  writeFindings('models', {
    summary: `Cases of up to 40 steps each (seed ${SEED}), drawn by fast-check and cut to the shortest where one fails; on the real object, its SQLite in the process. \`npm test\` tries a few of them.`,
    tables: [{ columns: ['what holds', 'steps, in any order', 'cases', 'what came out'], rows }],
  });
});
