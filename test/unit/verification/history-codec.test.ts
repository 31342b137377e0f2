import { describe, expect, it } from 'vitest';
import { DOMAIN_LEVELS, type Levels, LIST_LEVELS } from '../../../src/domain/verification/history.ts';
import {
  decodeAddress,
  decodeLevels,
  encodeAddress,
  encodeLevels,
  listIn,
  newestAt,
} from '../../../src/domain/verification/history-codec.ts';
import { anyHistory, FULLEST } from '../../support/histories.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const changed = (row: ArrayBuffer, place: number, byte: number): ArrayBuffer => {
  const bytes = new Uint8Array(row.slice(0));
  bytes[place] = byte;
  return bytes.buffer;
};
const levels = (count: number): Levels => ({
  at: 1_000_000_000_000,
  values: Float32Array.from({ length: count }, (_, place) => -place / 3),
  isReported: true,
  stoppedOn: 20_780,
  ...(count === DOMAIN_LEVELS ? { refused: 65_535, delivered: 7 } : { refused: 0, delivered: 0 }),
});

describe('the row of an address', () => {
  it('reads back as it was written, whatever it holds', () => {
    const random = seededRandom(7);
    for (let turn = 0; turn < 2_000; turn += 1) {
      const history = anyHistory(random);
      expect(decodeAddress(encodeAddress(history))).toEqual(history);
    }
  });

  it('names its list without being read whole, and none where it is cut off or of another format', () => {
    const random = seededRandom(8);
    for (let turn = 0; turn < 500; turn += 1) {
      const history = anyHistory(random);
      expect(listIn(encodeAddress(history))).toBe(history.list);
    }
    const row = encodeAddress(FULLEST);
    for (let length = 0; length < 41; length += 1) expect(listIn(row.slice(0, length))).toBeNull();
    expect(listIn(changed(row, 0, 2))).toBeNull();
  });

  it('has 199 bytes at its fullest, and reads back', () => {
    expect(encodeAddress(FULLEST).byteLength).toBe(199);
    expect(decodeAddress(encodeAddress(FULLEST))).toEqual(FULLEST);
  });

  it('keeps times to the second', () => {
    const history = { ...FULLEST, firstSeenAt: 1_999 };
    expect(decodeAddress(encodeAddress(history))?.firstSeenAt).toBe(1_000);
  });

  it.each([
    ['nothing', new ArrayBuffer(0)],
    ['another format', changed(encodeAddress(FULLEST), 0, 2)],
    ['a host without a name', changed(encodeAddress(FULLEST), 5, 255)],
    ['a purpose without a meaning', changed(encodeAddress(FULLEST), 6, 255)],
    ['more answers than there are providers', changed(encodeAddress(FULLEST), 8, 0x88)],
    ['a provider twice', changed(encodeAddress(FULLEST), 8 + 1 + 32, 0x1e)],
    ['a report without a name', changed(encodeAddress(FULLEST), 8 + 1 + 32 + 35, 9)],
    ['a byte too many', new Uint8Array([...new Uint8Array(encodeAddress(FULLEST)), 0]).buffer],
  ])('is refused, not guessed at, where it holds %s', (_, row) => {
    expect(decodeAddress(row)).toBeNull();
  });

  it('is refused wherever it is cut off', () => {
    const row = encodeAddress(FULLEST);
    for (let length = 0; length < row.byteLength; length += 1) expect(decodeAddress(row.slice(0, length))).toBeNull();
  });

  it('never throws on noise', () => {
    const { uniform: random } = seededRandom(11);
    for (let turn = 0; turn < 5_000; turn += 1) {
      const noise = Uint8Array.from({ length: Math.floor(random() * 220) }, () => random() * 256);
      if (random() < 0.8) noise[0] = 1;
      expect(() => decodeAddress(noise.buffer)).not.toThrow();
    }
  });

  it('tells the time of its newest', () => {
    const quiet = { ...FULLEST, answers: [], reports: [], proofs: [] };
    expect(newestAt(encodeAddress(quiet))).toBe(FULLEST.firstSeenAt);
    expect(newestAt(encodeAddress({ ...quiet, firstSeenAt: 0, proofs: FULLEST.proofs }))).toBe(2_000);
    expect(newestAt(new ArrayBuffer(3))).toBeNull();
  });
});

describe('the row of a domain or a list', () => {
  it.each([
    ['domain', DOMAIN_LEVELS, 75],
    ['list', LIST_LEVELS, 51],
  ] as const)('of a %s reads back, in few bytes', (_, count, bytes) => {
    const row = encodeLevels(levels(count));
    expect(row.byteLength).toBe(bytes);
    expect(decodeLevels(row, count)).toEqual(levels(count));
  });

  it('is refused where it is cut off, of another format, of other levels, or holds no number', () => {
    const row = encodeLevels(levels(LIST_LEVELS));
    const infinite = encodeLevels({
      ...levels(LIST_LEVELS),
      values: new Float32Array(LIST_LEVELS).fill(Number.POSITIVE_INFINITY),
    });
    for (const bad of [new ArrayBuffer(0), row.slice(0, 40), changed(row, 0, 9), infinite])
      expect(decodeLevels(bad, LIST_LEVELS)).toBeNull();
    expect(decodeLevels(row, DOMAIN_LEVELS)).toBeNull();
  });
});
