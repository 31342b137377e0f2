import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentOf, modelFrom } from '../../../src/domain/calibration/model-document.ts';
import { modelInForce } from '../../../src/domain/calibration/model-in-force.ts';
import type { HistoryTable } from '../../../src/domain/verification/history-table.ts';
import { type Model, SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import { believeStranger } from '../../support/beliefs.ts';

describe('the model that a night puts in force', () => {
  const withHistory = (history: Partial<HistoryTable>, calibration: Model['calibration'] = 'prior'): Model => ({
    ...SEEDED_MODEL,
    calibration,
    history: { ...SEEDED_MODEL.history, ...history },
  });
  const tableAt = (listLevel: number, calibration?: Model['calibration']): Model =>
    withHistory({ listLevel }, calibration);
  const night = { fitted: null, isAdopted: false, sources: {}, table: tableAt(0) };

  it('is the table’s own where it finds nothing', () => {
    expect(modelInForce(SEEDED_MODEL, night)).toBe(SEEDED_MODEL);
  });

  it('knows where lists lie without calling itself fitted while answers alone tell, also after it was stored', () => {
    const model = modelInForce(SEEDED_MODEL, { ...night, table: tableAt(-2.4) });
    expect(model.version).toMatch(/^levels-[0-9a-f]{16}$/);
    expect(model.calibration).toBe('prior');
    const read = modelFrom(JSON.parse(JSON.stringify(documentOf(model))));
    expect(read).toEqual(model);
    const [stored, kept] = [read ?? SEEDED_MODEL, model].map((each) => believeStranger(each, 'google_business'));
    expect(stored).toEqual(kept);
  });

  it('is fitted where outcomes moved the lists', () => {
    expect(modelInForce(SEEDED_MODEL, { ...night, table: tableAt(1, 'fitted') }).calibration).toBe('fitted');
  });

  it('is fitted where outcomes show that a source errs', () => {
    const model = modelInForce(SEEDED_MODEL, { ...night, table: tableAt(1), sources: { aaaa: 0.2 } });
    expect(model.calibration).toBe('fitted');
    expect(model.history).toMatchObject({ listLevel: 1, sources: { aaaa: 0.2 } });
  });

  it('leaves where lists lie to a fit of patterns, which has it in its rates', () => {
    const prior = { ...SEEDED_MODEL.prior, relay: SEEDED_MODEL.prior.proton_business };
    const fitted: Model = { ...SEEDED_MODEL, version: 'fit-1', calibration: 'fitted', prior };
    expect(modelInForce(fitted, { ...night, table: tableAt(1, 'fitted') })).toBe(fitted);
  });

  it('is the fit of rows where that is adopted', () => {
    const fitted: Model = { ...SEEDED_MODEL, version: 'rows-1', calibration: 'fitted' };
    expect(modelInForce(SEEDED_MODEL, { ...night, fitted, isAdopted: true, table: tableAt(1) })).toBe(fitted);
    expect(modelInForce(SEEDED_MODEL, { ...night, fitted }).version).toBe(SEEDED_MODEL.version);
    expect(modelInForce(SEEDED_MODEL, { ...night, isAdopted: true })).toBe(SEEDED_MODEL);
  });

  it.each<[what: string, of: Partial<HistoryTable>]>([
    ['where lists lie', { listLevel: 0.3 }],
    ['where catch-alls lie', { acceptsAllLevel: -0.7 }],
    ['how wide intervals are', { varianceFactor: 1.4 }],
  ])('has what the night found, where that is only %s', (_, of) => {
    const { version, history } = modelInForce(SEEDED_MODEL, { ...night, table: withHistory(of) });
    expect(history).toEqual({ ...SEEDED_MODEL.history, ...of });
    expect(version).toMatch(/^levels-/);
  });

  const anyFound = fc.record({
    listLevel: fc.constantFrom(0, 0.3),
    acceptsAllLevel: fc.constantFrom(0, 0.3),
    varianceFactor: fc.constantFrom(1, 0.3, 1.4),
    sources: fc.constantFrom<HistoryTable['sources']>({}, { aaaa: 0.3 }, { aaaa: 0.2 }, { bbbb: 0.3 }),
  });
  const found = ({ sources, ...of }: Pick<HistoryTable, 'sources'> & Partial<HistoryTable>): Model =>
    modelInForce(SEEDED_MODEL, { ...night, sources, table: withHistory(of) });

  it('has one name for one finding, and another for each other: a name is read once and kept', () => {
    fc.assert(
      fc.property(anyFound, anyFound, (one, other) => {
        const [model, next] = [found(one), found(other)];
        const isSame = JSON.stringify(model.history) === JSON.stringify(next.history);
        expect(model.version === next.version).toBe(isSame);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['levels-b49ca5c095b3cf8a', { listLevel: -2.4, sources: {} }],
    ['sources-ab188b733cf9ef0c', { listLevel: 0.3, sources: { aaaa: 0.2 } }],
  ])(
    'has the name that stored models have, where intervals are as wide as the table’s: %s',
    (name, { sources, listLevel }) => {
      const table = { ...SEEDED_MODEL, version: 'seed-2' };
      expect(modelInForce(table, { ...night, sources, table: tableAt(listLevel) }).version).toBe(name);
    },
  );
});
