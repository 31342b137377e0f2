import type { Answer } from '../../src/domain/belief/facts.ts';
import { computePosterior } from '../../src/domain/answer/conclusion.ts';
import { groundsFrom } from '../../src/domain/router/recommend.ts';
import { LOSSES } from '../../src/domain/router/losses.ts';
import type { Model } from '../../src/domain/belief/model.ts';
import { PROVIDER_IDS, type ProviderId } from '../../src/domain/belief/provider.ts';
import { VERDICTS } from '../../src/domain/belief/provider-table.ts';
import type { Askable } from '../../src/domain/router/provider-terms.ts';
import { recommend } from '../../src/domain/router/recommend.ts';
import { route } from '../../src/domain/router/router.ts';
import { verdictOf } from '../../src/domain/answer/verdict.ts';
import { strangerWith } from '../../test/support/beliefs.ts';
import { addressAt, type SimulatedAddress } from '../population/addresses.ts';
import { drawPopulation, NEAR } from '../population/population.ts';

const WARM_UP = 2_000;
const PURPOSE = 'outbound';
const STAKES = { purpose: PURPOSE, losses: LOSSES[PURPOSE] } as const;

/** All that one request decides, from the first step of the router to the verdict; how many steps it took. */
function decide(model: Model, { host: { host }, said }: SimulatedAddress, providers: readonly Askable[]): number {
  const answers: Answer[] = [];
  const asked = new Set<ProviderId>();
  const left = { costMicros: 20_000, timeMs: 60_000 };
  for (;;) {
    const step = route({ ...strangerWith(model, host, answers), stakes: STAKES, providers, asked, left });
    if (step.choice === 'stop') break;
    asked.add(step.choice);
    const verdict = VERDICTS[(said[PROVIDER_IDS.indexOf(step.choice)] ?? 0) - 1] ?? 'unknown';
    answers.push({ provider: step.choice, verdict });
  }
  const { belief } = computePosterior(strangerWith(model, host, answers));
  recommend(belief, STAKES, groundsFrom(answers, [], []), false);
  verdictOf(belief, false);
  return answers.length + 1;
}

/** Microseconds a request takes to decide with all seven providers on, the waiting for them left out. */
export function measureRequests(model: Model, requests: number): { median: number; p99: number; steps: number } {
  const population = drawPopulation(model, NEAR, 1);
  const providers = population.vendors.map(({ id, priceMicros, billsUnknown, latencyMs, failureRate }): Askable => ({
    id,
    priceMicros,
    billsUnknown,
    health: { typicalMs: latencyMs, latencyMs, failureRate, open: false },
  }));
  const addresses = Array.from({ length: WARM_UP + requests }, (_, index) => addressAt(population, index));
  const times: number[] = [];
  let steps = 0;
  addresses.forEach((address, at) => {
    const begun = performance.now();
    const taken = decide(model, address, providers);
    if (at < WARM_UP) return;
    times.push((performance.now() - begun) * 1_000);
    steps += taken;
  });
  times.sort((one, other) => one - other);
  return {
    median: times[Math.floor(requests / 2)] ?? 0,
    p99: times[Math.floor(requests * 0.99)] ?? 0,
    steps: steps / requests,
  };
}
