import { describe, expect, it } from 'vitest';
import {
  type AddressHistory,
  DOMAIN_LEVELS,
  type LevelRest,
  type Levels,
  LIST_LEVELS,
} from '../../../src/domain/verification/history.ts';
import {
  decodeAddress,
  decodeHistory,
  decodeLevels,
  decodeRest,
  encodeAddress,
  encodeLevels,
  encodeRest,
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
/** A row of so many reports and nothing else. */
const BARE: AddressHistory = { ...FULLEST, list: null, answers: [], reports: [], proofs: [], part: null };
const withReports = (count: number): ArrayBuffer => {
  const row = [...new Uint8Array(encodeAddress(BARE))];
  return new Uint8Array([...row.with(8, count), ...Array.from({ length: 7 * count }, () => 0)]).buffer;
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
    // A row may end with its list.
    const { list } = FULLEST;
    expect(encodeAddress({ ...BARE, list }).byteLength).toBe(41);
    expect(listIn(encodeAddress({ ...BARE, list }))).toBe(list);
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

  it('keeps times within its 32 bits: from 1970 to 2106, and the nearest of these for any other', () => {
    const last = 1_000 * (2 ** 32 - 1);
    for (const [at, kept] of [
      [-5_000, 0],
      [last, last],
      [last + 1_000, last],
      [last + 6_000, last],
    ] as const)
      expect(decodeAddress(encodeAddress({ ...BARE, firstSeenAt: at }))?.firstSeenAt).toBe(kept);
  });

  it('keeps the last answers and reports, as many as it has room for', () => {
    const old = FULLEST.answers.slice(0, 3).map((answer) => ({ ...answer, at: 0 }));
    const reports = FULLEST.reports.map((report, place) => ({ ...report, at: 1_000 * (place + 5) }));
    const more = { ...FULLEST, answers: [...old, ...FULLEST.answers], reports: [...FULLEST.reports, ...reports] };
    expect(decodeAddress(encodeAddress(more))).toEqual({ ...FULLEST, reports });
  });

  it.each([
    ['nothing', new ArrayBuffer(0)],
    ['another format', changed(encodeAddress(FULLEST), 0, 2)],
    ['a host without a name', changed(encodeAddress(FULLEST), 5, 255)],
    ['a purpose without a meaning', changed(encodeAddress(FULLEST), 6, 255)],
    ['more answers than there are providers', changed(encodeAddress(FULLEST), 8, 0x88)],
    ['a provider twice', changed(encodeAddress(FULLEST), 8 + 1 + 32, 0x1e)],
    ['a report without a name', changed(encodeAddress(FULLEST), 8 + 1 + 32 + 35, 9)],
    ['more reports than it has room for', withReports(9)],
    ['a part that is counted nowhere known', changed(encodeAddress(FULLEST), 199 - 2 * (16 + 11) - 1, 3)],
    ['a byte too many', new Uint8Array([...new Uint8Array(encodeAddress(FULLEST)), 0]).buffer],
  ])('is refused, not guessed at, where it holds %s', (_, row) => {
    expect(decodeAddress(row)).toBeNull();
  });

  it('is read with as many reports as it has room for', () => {
    expect(decodeAddress(withReports(8))?.reports).toHaveLength(8);
  });

  it('is not taken for unreadable where the fault is the program’s', () => {
    expect(() => decodeAddress(new Uint8Array(9) as unknown as ArrayBuffer)).toThrow(TypeError);
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
    const untouched = { ...levels(count), isReported: false, stoppedOn: null };
    expect(decodeLevels(encodeLevels(untouched), count)).toEqual(untouched);
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

describe('the row of what levels have beside their parts', () => {
  const rest = (count: number, change: Partial<LevelRest> = {}): LevelRest => ({
    at: 1_000_000_000_000,
    values: Float32Array.from({ length: count }, (_, place) => place / 3 - 2),
    refused: -12,
    delivered: 32_767,
    ...change,
  });

  it.each([
    ['domain', DOMAIN_LEVELS, 73],
    ['list', LIST_LEVELS, 53],
  ] as const)('of a %s reads back, in few bytes', (_, count, bytes) => {
    const row = encodeRest(rest(count));
    expect(row.byteLength).toBe(bytes);
    expect(decodeRest(row, count)).toEqual(rest(count));
  });

  it('keeps counts within two bytes, to either side', () => {
    const kept = decodeRest(encodeRest(rest(LIST_LEVELS, { refused: 40_000, delivered: -40_000 })), LIST_LEVELS);
    expect([kept?.refused, kept?.delivered]).toEqual([32_767, -32_767]);
  });

  it('is refused where it is cut off, of another format, or of other levels', () => {
    const row = encodeRest(rest(LIST_LEVELS));
    for (const bad of [new ArrayBuffer(0), row.slice(0, 52), changed(row, 0, 9)])
      expect(decodeRest(bad, LIST_LEVELS)).toBeNull();
    expect(decodeRest(row, DOMAIN_LEVELS)).toBeNull();
  });
});

describe('the rows of an address, its domain and its list', () => {
  const rows = {
    address: encodeAddress(FULLEST),
    domain: encodeLevels(levels(DOMAIN_LEVELS)),
    list: encodeLevels(levels(LIST_LEVELS)),
  };
  const all = { address: FULLEST, domain: levels(DOMAIN_LEVELS), list: levels(LIST_LEVELS) };
  const unreadable = new ArrayBuffer(3);

  it('are read together, with the address’s own list where that is another', () => {
    expect(decodeHistory(rows)).toEqual(all);
    const ownList = { ...levels(LIST_LEVELS), at: 5_000 };
    expect(decodeHistory({ ...rows, ownList: encodeLevels(ownList) })).toEqual({ ...all, ownList });
  });

  it('count as none where they are missing or cannot be read', () => {
    const none = { address: null, domain: null, list: null };
    expect(decodeHistory(none)).toEqual(none);
    const bad = { address: unreadable, domain: unreadable, list: unreadable, ownList: unreadable };
    expect(decodeHistory(bad)).toStrictEqual(none);
  });
});
