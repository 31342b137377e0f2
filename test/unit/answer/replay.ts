import { expect } from 'vitest';
import type { Posterior } from '../../../src/domain/answer/conclusion.ts';
import { replay as replayUnder } from '../../../src/domain/answer/replay.ts';
import { MODEL } from '../../../src/domain/belief/model.ts';

type Kept = Pick<Parameters<typeof replayUnder>[0], 'features' | 'providers' | 'reasons' | 'context'>;

/** The number from what a trace alone holds, under the tables that it has to name. */
export function replay(trace: Kept): Posterior {
  expect(trace.features?.model_version).toBe(MODEL.version);
  const replayed = replayUnder({ verdict: 'risky', kind: 'verify', signals: null, ...trace }, MODEL);
  if (replayed === null) throw new Error('the trace has lost its detail');
  const { belief, disagreement } = replayed;
  return { belief, disagreement };
}
