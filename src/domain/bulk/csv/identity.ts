import { systemRandom } from '../../../kernel/ids.ts';
import { parseAddress } from '../../address/parse.ts';
import { release } from './address-file.ts';
import { type CsvLayout, type Units, bare, cellText, holdsSeveral } from './dialect.ts';

const COMPRESSION_ROUNDS = 2;
const FINALIZATION_ROUNDS = 4;

/**
 * HalfSipHash-2-4 with 64 bits of output (Aumasson and Bernstein): 32-bit words, because JavaScript's wider integers
 * are slow. Collisions can't be made without its key.
 */
export class HalfSipHash {
  static readonly keyBytes = 8;
  /** The newest hash, as signed integers. */
  low = 0;
  high = 0;
  private readonly k0: number;
  private readonly k1: number;
  private v0 = 0;
  private v1 = 0;
  private v2 = 0;
  private v3 = 0;

  constructor(key: Uint8Array<ArrayBuffer>) {
    const view = new DataView(key.buffer, key.byteOffset, HalfSipHash.keyBytes);
    this.k0 = view.getInt32(0, true);
    this.k1 = view.getInt32(4, true);
  }

  digest(bytes: Uint8Array, from: number, to: number): void {
    this.v0 = this.k0;
    this.v1 = this.k1 ^ 0xee;
    this.v2 = this.k0 ^ 0x6c796765;
    this.v3 = this.k1 ^ 0x74656462;
    let i = from;
    for (; i + 4 <= to; i += 4) {
      this.take(
        (bytes[i] ?? 0) | ((bytes[i + 1] ?? 0) << 8) | ((bytes[i + 2] ?? 0) << 16) | ((bytes[i + 3] ?? 0) << 24),
      );
    }
    let last = (to - from) << 24;
    for (let shift = 0; i < to; i += 1, shift += 8) last |= (bytes[i] ?? 0) << shift;
    this.take(last);
    this.v2 ^= 0xee;
    this.rounds(FINALIZATION_ROUNDS);
    this.low = this.v1 ^ this.v3;
    this.v1 ^= 0xdd;
    this.rounds(FINALIZATION_ROUNDS);
    this.high = this.v1 ^ this.v3;
  }

  private take(word: number): void {
    this.v3 ^= word;
    this.rounds(COMPRESSION_ROUNDS);
    this.v0 ^= word;
  }

  private rounds(count: number): void {
    let { v0, v1, v2, v3 } = this;
    for (let i = 0; i < count; i += 1) {
      v0 = (v0 + v1) | 0;
      v1 = rotated(v1, 5) ^ v0;
      v0 = rotated(v0, 16);
      v2 = (v2 + v3) | 0;
      v3 = rotated(v3, 8) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = rotated(v3, 7) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = rotated(v1, 13) ^ v2;
      v2 = rotated(v2, 16);
    }
    this.v0 = v0;
    this.v1 = v1;
    this.v2 = v2;
    this.v3 = v3;
  }
}

const rotated = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/**
 * Numbers distinct byte strings in order of arrival and keeps 64 bits of each: a string object a row would cost more
 * than reading the file. Two of 100,000 strings collide in one file of four billion. The key is secret, so that a
 * caller can't send a file of collisions.
 */
export class FingerprintTable {
  size = 0;
  private readonly hash: HalfSipHash;
  /** The hash of each number. Their length is the table's capacity. */
  private lows = new Int32Array(2 ** 12);
  private highs = new Int32Array(2 ** 12);
  /** A number plus one, at its hash or the next free slot; 0 is empty. At least half are empty. */
  private slots = new Uint32Array(2 ** 13);

  constructor() {
    const key = new Uint8Array(HalfSipHash.keyBytes);
    systemRandom(key);
    this.hash = new HalfSipHash(key);
  }

  /** The number of these bytes, new if unseen. Takes offsets because a view would cost more than its bytes. */
  number(bytes: Uint8Array, from: number, to: number): number {
    this.hash.digest(bytes, from, to);
    const { low, high } = this.hash;
    const mask = this.slots.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const taken = (this.slots[slot] ?? 0) - 1;
      if (taken === -1) return this.add(slot, low, high);
      if (this.lows[taken] === low && this.highs[taken] === high) return taken;
    }
  }

  release(): void {
    release(this.lows, this.highs, this.slots);
  }

  private add(slot: number, low: number, high: number): number {
    this.lows[this.size] = low;
    this.highs[this.size] = high;
    this.size += 1;
    this.slots[slot] = this.size;
    if (this.size === this.lows.length) this.grow();
    return this.size - 1;
  }

  /** Starts small, to fit the processor's caches. */
  private grow(): void {
    this.lows = new Int32Array(this.lows.buffer.transfer(2 * this.lows.byteLength));
    this.highs = new Int32Array(this.highs.buffer.transfer(2 * this.highs.byteLength));
    release(this.slots);
    this.slots = new Uint32Array(2 * this.lows.length);
    const mask = this.slots.length - 1;
    for (let number = 0; number < this.size; number += 1) {
      let slot = (this.lows[number] ?? 0) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = number + 1;
    }
  }
}

export const PASTE_LAYOUT: CsvLayout = {
  dialect: { encoding: 'utf-8', prefaceBytes: 0, delimiter: ',', lineBreak: 'lf' },
  hasHeader: true,
  emailColumn: 0,
};

/** What spreadsheets read as a formula's start, in either width, after white space and quotes. */
const FORMULA = String.raw`[\s']*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]`;
const RUN = new RegExp(`^${FORMULA}`);
const GUARDED = new RegExp(`^'${FORMULA}`);

/** A `'` in front turns a formula into text. Cells with one already get one more; `unguarded` restores each. */
const guarded = (cell: string): string => (RUN.test(cell) ? `'${cell}` : cell);
const unguarded = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell);

/** Pasted addresses as a file of one column. Quotes keep an empty one, or one with a line break, a row. */
export const pasteFile = (emails: readonly string[]): Uint8Array =>
  new TextEncoder().encode(
    ['email', ...emails.map((email) => `"${guarded(email).replaceAll('"', '""')}"`), ''].join('\n'),
  );

/** The limit of `/v1/verify`, in characters; a longer cell is not checked. */
const ADDRESS_MAX = 320;

const AT = 0x40;
const QUOTE = 0x22;
const SPACE = 0x20;
/** May surround an address at a text's start or end: an apostrophe, a backtick, a dot. */
const AROUND: ReadonlySet<number | undefined> = new Set([0x27, 0x60, 0x2e]);

/**
 * The lower case of each code unit that an unquoted ASCII address may contain, else 0. Two texts of only these are the
 * same address exactly if their lower case is equal.
 */
const FOLDED = new Uint8Array(2 ** 16);
for (const char of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.@!#$%&'*+-/=?^_`{|}~") {
  FOLDED[char.charCodeAt(0)] = char.toLowerCase().charCodeAt(0);
}

const UTF8 = new TextEncoder();

/** An address in a file. The arrays may be longer than the lengths. */
interface CellAddress {
  /** As typed, as a JSON string. */
  readonly literal: Uint8Array;
  readonly literalEnd: number;
  /** The same bytes for equal addresses (domain as A-labels, lower case, NFC). */
  readonly identity: Uint8Array;
  /** Offset of the domain in `identity`. */
  readonly domainAt: number;
  readonly identityEnd: number;
}

export class AddressReader {
  private readonly isPasted: boolean;
  private readonly found = {
    literal: new Uint8Array(ADDRESS_MAX + 2).fill(QUOTE),
    literalEnd: 0,
    identity: new Uint8Array(ADDRESS_MAX),
    domainAt: 0,
    identityEnd: 0,
  };

  constructor(isPasted: boolean) {
    this.isPasted = isPasted;
  }

  /**
   * The address in `units` from `from` to `to`, valid until the next call. Null means not checked: empty, no `@`, too
   * long, or two addresses.
   */
  read(units: Units, from: number, to: number): CellAddress | null {
    if (this.isPasted) return other(bare(unguarded(cellText(units.subarray(from, to)))));
    return this.ordinary(units, from, to) ?? other(bare(cellText(units.subarray(from, to))));
  }

  /** Reads an ordinary address without making a string: 100,000 strings would take longer than reading the file. */
  private ordinary(units: Units, cellFrom: number, cellTo: number): CellAddress | null {
    const { found } = this;
    const { literal, identity } = found;
    let from = cellFrom;
    let to = cellTo;
    if (to - from > 1 && units[from] === QUOTE && units[to - 1] === QUOTE) {
      from += 1;
      to -= 1;
    }
    while (units[from] === SPACE) from += 1;
    while (to > from && units[to - 1] === SPACE) to -= 1;
    const length = to - from;
    if (length > ADDRESS_MAX || AROUND.has(units[from]) || AROUND.has(units[to - 1])) return null;
    found.domainAt = 0;
    for (let i = 0; i < length; i += 1) {
      const unit = units[from + i] ?? 0;
      const lower = FOLDED[unit] ?? 0;
      if (lower === 0) return null;
      if (lower === AT) {
        // A second `@`: invalid syntax, or two addresses with a slash between.
        if (found.domainAt > 0) return null;
        found.domainAt = i + 1;
      }
      literal[i + 1] = unit;
      identity[i] = lower;
    }
    if (found.domainAt === 0) return null;
    literal[length + 1] = QUOTE;
    found.literalEnd = length + 2;
    found.identityEnd = length;
    return found;
  }
}

function other(text: string): CellAddress | null {
  if (!text.includes('@') || text.length > ADDRESS_MAX) return null;
  const parsed = parseAddress(text);
  if (!parsed.ok && holdsSeveral(text)) return null;
  // Invalid syntax is compared as typed, ignoring case.
  const name = parsed.ok ? parsed.address.normalised : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const literal = UTF8.encode(JSON.stringify(text));
  const identity = UTF8.encode(name);
  return {
    literal,
    literalEnd: literal.length,
    identity,
    identityEnd: identity.length,
    domainAt: identity.lastIndexOf(AT) + 1,
  };
}
