import { type Dialect, unitBytes } from './dialect.ts';

/** A block of code units. */
export type Units = Uint8Array | Uint16Array;

/** Cuts a stream of bytes into blocks of whole code units, without the preface. */
export class UnitReader {
  private readonly wide: boolean;
  /** The place of the lower byte in a pair. */
  private readonly low: 0 | 1;
  private skip: number;
  /** The first byte of a unit that the next block completes. */
  private half: number | null = null;

  constructor(dialect: Pick<Dialect, 'encoding' | 'prefaceBytes'>) {
    this.wide = unitBytes(dialect) === 2;
    this.low = dialect.encoding === 'utf-16be' ? 1 : 0;
    this.skip = dialect.prefaceBytes;
  }

  next(bytes: Uint8Array): Units {
    const skipped = Math.min(this.skip, bytes.length);
    this.skip -= skipped;
    const rest = skipped === 0 ? bytes : bytes.subarray(skipped);
    return this.wide ? this.pair(rest) : rest;
  }

  private pair(bytes: Uint8Array): Uint16Array {
    const before = this.half === null ? 0 : 1;
    const units = new Uint16Array((before + bytes.length) >> 1);
    const { low } = this;
    const { length } = units;
    // Only the first unit may begin in the block before.
    for (let i = 0, at = -before; i < length; i += 1, at += 2) {
      const first = (at < 0 ? this.half : bytes[at]) ?? 0;
      const second = bytes[at + 1] ?? 0;
      units[i] = low === 0 ? first | (second << 8) : (first << 8) | second;
    }
    if ((before + bytes.length) % 2 === 1) this.half = bytes.at(-1) ?? this.half;
    else this.half = null;
    return units;
  }
}
