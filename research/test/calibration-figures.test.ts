import { describe, expect, it } from 'vitest';
import { MODEL } from '../../src/domain/belief/model.ts';
import { PROVIDER_IDS, type ProviderId, type ProviderVerdict } from '../../src/domain/belief/provider.ts';
import { VERDICTS } from '../../src/domain/belief/provider-table.ts';
import { believeStranger } from '../../test/support/beliefs.ts';
import { addTo, calibrationError, crossEntropy, newScore } from '../calibration/belief-scores.ts';
import { frontierChart, reliabilityChart } from '../calibration/charts.ts';
import { scoreReuse } from '../calibration/domain-reuse.ts';
import { figuresOf, type Measured, reaches } from '../calibration/figures.ts';
import { measureFit } from '../calibration/fit-cpu.ts';
import { average, majority, naive } from '../calibration/methods.ts';
import { scorePopulation } from '../calibration/population-scores.ts';
import { report } from '../calibration/report.ts';
import { measureRequests } from '../calibration/request-cpu.ts';
import type { Said } from '../population/exact-posterior.ts';
import { NEAR } from '../population/population.ts';

const said = (answers: Partial<Record<ProviderId, ProviderVerdict>>): Said =>
  PROVIDER_IDS.map((id) => {
    const verdict = answers[id];
    return verdict === undefined ? 0 : 1 + VERDICTS.indexOf(verdict);
  });

describe('the scores', () => {
  it('are least, and the entropy, where the exact probability is predicted', () => {
    for (const exact of [0.01, 0.3, 0.97]) {
      const entropy = crossEntropy(exact, exact);
      for (const predicted of [0, 0.02, 0.5, 0.98, 1]) expect(crossEntropy(exact, predicted)).toBeGreaterThan(entropy);
    }
    const score = newScore();
    addTo(score, 0.2, 0.2);
    expect(score.crossEntropy).toBe(score.entropy);
  });

  it('find no calibration error in what is right on average, and a constant one', () => {
    const exact = Array.from({ length: 1_000 }, (_, at) => (at + 0.5) / 1_000);
    expect(calibrationError(exact.map((p) => [p, p]))).toBe(0);
    expect(calibrationError(exact.map((p) => [p, p * 0.9 + 0.1]))).toBeCloseTo(0.05, 3);
  });
});

describe('what the engine stands beside', () => {
  it('takes the commonest verdict, and of several the least sure', () => {
    expect(majority(said({ kickbox: 'deliverable', bouncer: 'deliverable', hunter: 'undeliverable' }))).toBe(0.02);
    expect(majority(said({ kickbox: 'deliverable', bouncer: 'unknown' }))).toBe(0.2);
    expect(average(said({ kickbox: 'deliverable', bouncer: 'unknown' }))).toBeCloseTo(0.11, 12);
  });

  it('multiplies as the engine does for one answer, and more boldly for several', () => {
    const one = said({ zerobounce: 'undeliverable' });
    const evidence = naive(MODEL, 'google_business', one);
    expect(naive(MODEL, 'google_business', said({}))).toBeCloseTo(
      believeStranger(MODEL, 'google_business').probability,
      12,
    );
    const all = said(Object.fromEntries(PROVIDER_IDS.map((id) => [id, 'undeliverable' as const])));
    expect(naive(MODEL, 'google_business', all)).toBeGreaterThan(0.999);
    expect(evidence).toBeLessThan(0.9);
  });
});

describe('a small run', () => {
  const measured: Measured = {
    near: [scorePopulation(MODEL, NEAR, 11, { size: 150 })],
    far: [scorePopulation(MODEL, 1, 11, { size: 150, costs: false })],
    counts: [scorePopulation(MODEL, 'counts', 11, { size: 150, costs: false })],
    reuse: [scoreReuse(MODEL, 11, 40)],
    cpu: measureRequests(MODEL, 50),
    fitCpu: measureFit(MODEL, 1),
  };

  it('is the same from the same seed', () => {
    const again = scorePopulation(MODEL, NEAR, 11, { size: 40, costs: false });
    expect(scorePopulation(MODEL, NEAR, 11, { size: 40, costs: false })).toEqual(again);
  });

  it('finds the engine close to the limit and what multiplies further off', () => {
    const figures = figuresOf(measured);
    expect(figures.map(({ value }) => Number.isFinite(value))).not.toContain(false);
    expect(figures.find(({ name }) => name.includes('unfitted: mean'))?.value).toBeLessThan(1.1);
    const { engine, 'naive product': product } = measured.near[0]?.beliefs.scores ?? {};
    expect(product?.seven.crossEntropy).toBeGreaterThan(engine?.seven.crossEntropy ?? Infinity);
  });

  it('says what it is before any number, and draws only points that are numbers', () => {
    const text = report(measured);
    expect(text).toContain('Only outcomes can show whether it is right about real addresses.');
    expect(text).not.toMatch(/NaN|Infinity|undefined/);
    for (const chart of [reliabilityChart(measured), frontierChart(measured)]) {
      expect(chart.startsWith('<svg ')).toBe(true);
      expect(chart).not.toMatch(/NaN|Infinity|undefined/);
    }
  });

  it('holds a figure to both its bounds, and says nothing of one without bounds', () => {
    expect(reaches({ name: '', value: 0.9, atLeast: 0.87, atMost: 0.93 })).toBe(true);
    expect(reaches({ name: '', value: 0.94, atLeast: 0.87, atMost: 0.93 })).toBe(false);
    expect(reaches({ name: '', value: 5 })).toBeNull();
  });
});
