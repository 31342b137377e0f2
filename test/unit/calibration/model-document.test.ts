import { describe, expect, it } from 'vitest';
import { fittedModel } from '../../../src/domain/calibration/calibrate.ts';
import { fit } from '../../../src/domain/calibration/fit.ts';
import { fittedTables } from '../../../src/domain/calibration/fitted-model.ts';
import { documentOf, modelFrom } from '../../../src/domain/calibration/model-document.ts';
import type { HostClass } from '../../../src/domain/verification/host-class.ts';
import { SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import { PROVIDER_IDS } from '../../../src/domain/verification/provider.ts';
import { believeStranger } from '../../support/beliefs.ts';
import { drawnAccount, patternOf } from './accounts.ts';

const { model } = fittedModel(SEEDED_MODEL, drawnAccount(1, 1_000));
const stored = (document: unknown): unknown => JSON.parse(JSON.stringify(document));

describe('a fitted model', () => {
  it('is the same after it was stored', () => {
    expect(modelFrom(stored(documentOf(model)))).toEqual(model);
  });

  const { history } = model;
  it.each([
    [
      'churn of its own, as a fit of rows has',
      {
        ...history,
        churn: { ...history.churn, strict: 0.2, acceptsAll: 0.3, consumer: 0.4 },
        features: { ...history.features },
      },
    ],
    ['a source that errs', { ...history, sources: { aaaa: 0.05 } }],
    ['lists that lie elsewhere', { ...history, listLevel: -1.2 }],
    ['catch-alls that lie elsewhere', { ...history, acceptsAllLevel: 0.7 }],
    ['wider intervals', { ...history, varianceFactor: 1.5 }],
  ])('still has, after it was stored, %s', (_, changed) => {
    expect(modelFrom(stored(documentOf({ ...model, history: changed })))?.history).toEqual(changed);
  });

  it('names no figure that is the table’s', () => {
    const names = Object.keys(documentOf(model));
    for (const name of ['history', 'sources', 'mistaken', 'list_level', 'accepts_all_level', 'variance_factor'])
      expect(names).not.toContain(name);
  });

  it('is small, also for an account that asks every provider at every kind of host', () => {
    const hosts = Object.keys(SEEDED_MODEL.prior) as HostClass[];
    const answers = PROVIDER_IDS.map((provider) => ({ provider, verdict: 'deliverable' as const }));
    const everything = hosts.flatMap((host) => patternOf({ host, answers }, 1, 40));
    const widest = { ...model, ...fittedTables(SEEDED_MODEL, fit(SEEDED_MODEL, everything, 1), 1) };
    expect(JSON.stringify(documentOf(model)).length).toBeLessThan(20_000);
    expect(JSON.stringify(documentOf(widest)).length).toBeLessThan(40_000);
  });

  it('keeps the table’s numbers for a host class and a provider that its document does not know', () => {
    const document = documentOf(model);
    const { relay: _relay, ...prior } = document.prior;
    const { hunter: _hunter, ...providers } = document.providers;
    const read = modelFrom(stored({ ...document, prior, providers }));
    expect(read?.prior.relay).toBe(SEEDED_MODEL.prior.relay);
    expect(read?.providers.hunter).toBe(SEEDED_MODEL.providers.hunter);
    expect(read?.prior.google_business).toEqual(model.prior.google_business);
  });

  it('is believed in for every kind of host', () => {
    for (const host of Object.keys(model.prior) as HostClass[]) {
      const { probability, interval } = believeStranger(model, host);
      expect(interval[0]).toBeLessThanOrEqual(probability);
      expect(interval[1]).toBeGreaterThanOrEqual(probability);
    }
  });
});

describe('a stored document', () => {
  const document = documentOf(model);

  it.each([
    ['nothing', null],
    ['one of another version', { ...document, v: 2 }],
    ['one without a version', { ...document, v: undefined }],
    ['a count of 0', { ...document, prior: { ...document.prior, relay: Array.from({ length: 5 }, () => [0, 1, 1]) } }],
    ['a cell too few', { ...document, prior: { ...document.prior, relay: document.prior.relay?.slice(1) } }],
    ['text for numbers', { ...document, providers: { kickbox: { anyHost: 'x', hosts: {} } } }],
  ])('is refused: %s', (_what, value) => {
    expect(modelFrom(stored(value))).toBeNull();
  });
});
