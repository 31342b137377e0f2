import { expect } from 'vitest';
import type { Trace } from '../../../src/contract/traces.ts';
import type { Posterior } from '../../../src/domain/answer/conclusion.ts';
import { MODEL } from '../../../src/domain/belief/model.ts';
import { replay as replayUnder } from '../../../src/domain/answer/replay.ts';

/** The judgement from what a trace alone holds, under the seeded tables, which it has to name. */
export function replay(trace: Pick<Trace, 'features' | 'providers' | 'reasons'>): Posterior {
  expect(trace.features?.model_version).toBe(MODEL.version);
  const replayed = replayUnder({ context: null, degraded: false, ...trace }, MODEL);
  if (replayed === null) throw new Error('the trace has lost its detail');
  const { belief, disagreement } = replayed;
  return { belief, disagreement };
}
