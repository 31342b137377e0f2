import { describe, expect, it } from 'vitest';
import { MODEL } from '../../src/domain/belief/model.ts';
import { addressAt, ask, type SimulatedAddress } from '../population/addresses.ts';
import { drawPopulation, NEAR } from '../population/population.ts';

const POPULATION = drawPopulation(MODEL, NEAR, 7);
const some = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

describe('a population', () => {
  it('is the same from the same seed, and another from another', () => {
    expect(drawPopulation(MODEL, NEAR, 7)).toEqual(POPULATION);
    expect(drawPopulation(MODEL, NEAR, 8)).not.toEqual(POPULATION);
  });

  it.each([NEAR, 'counts'] as const)('has shares that add up, from %s', (origin) => {
    const { hosts } = drawPopulation(MODEL, origin, 3);
    const added = (shares: readonly number[]) => shares.reduce((sum, share) => sum + share, 0);
    for (const { cells, verdicts } of hosts) {
      expect(added(cells.map(({ share }) => share))).toBeCloseTo(1, 9);
      for (const rows of Object.values(verdicts)) {
        for (const row of Object.values(rows)) expect(added(row)).toBeCloseTo(1, 9);
      }
    }
  });

  it('keeps each parameter within half a unit of log-odds of the table', () => {
    const logit = (p: number) => Math.log(p / (1 - p));
    for (const { host, cells } of POPULATION.hosts) {
      MODEL.prior[host].forEach(({ bounced, landed }, at) => {
        const moved = logit(cells[at]?.bounceRate ?? 0) - Math.log(bounced / landed);
        expect(Math.abs(moved)).toBeLessThanOrEqual(0.5 + 1e-9);
      });
    }
  });

  it('has an address whatever others were looked at, and addresses of one domain alike', () => {
    const one = addressAt(POPULATION, 1_234, 10);
    expect(addressAt(POPULATION, 1_234, 10)).toEqual(one);
    for (const other of some(10, (at) => addressAt(POPULATION, 1_230 + at, 10))) {
      expect(other.domain).toBe(one.domain);
      expect(other.host).toBe(one.host);
      expect(other.cell.acceptsAll).toBe(one.cell.acceptsAll);
    }
  });

  it('has vendors that say the same whenever they answer, bill as they do, and fail now and then', () => {
    const address = addressAt(POPULATION, 5);
    for (const { id, priceMicros, billsUnknown } of POPULATION.vendors) {
      const replies = some(3_000, (at) => ask(POPULATION, address, id, at * 60_000));
      const answered = replies.filter(({ verdict }) => verdict !== null);
      expect(new Set(answered.map(({ verdict }) => verdict)).size).toBe(1);
      expect(3_000 - answered.length).toBeGreaterThan(5);
      expect(answered.length).toBeGreaterThan(2_800);
      const free = answered[0]?.verdict === 'unknown' && !billsUnknown;
      for (const { billedMicros } of answered) expect(billedMicros).toBe(free ? 0 : priceMicros);
      expect(replies.every(({ ms }) => ms > 0)).toBe(true);
    }
  });
});

it('an address stands for what its population says: hosts are as frequent as their shares', () => {
  const addresses: SimulatedAddress[] = some(5_000, (at) => addressAt(POPULATION, at));
  const total = POPULATION.hosts.reduce((sum, { share }) => sum + share, 0);
  for (const { host, share } of POPULATION.hosts) {
    const expected = (5_000 * share) / total;
    const found = addresses.filter((address) => address.host.host === host).length;
    expect(Math.abs(found - expected)).toBeLessThan(4.5 * Math.sqrt(expected));
  }
});
