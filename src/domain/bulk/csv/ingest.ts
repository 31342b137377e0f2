import { encodeAddressFile, RANGE_ADDRESSES, rangesOf } from './address-file.ts';
import { ByteList, ByteTable, release } from './byte-table.ts';
import type { Dialect } from './dialect.ts';
import { AddressReader } from './identity.ts';
import { encodeRowIndex, HEADER_ROW, SKIPPED_ROW } from './row-index.ts';
import { CsvScanner, type RowSink } from './scan.ts';
import type { Units } from './units.ts';

export const ROWS_MAX = 100_000;
/** With the header. */
const LINES_MAX = ROWS_MAX + 1;

/** Spreadsheets end here; padding short rows further would turn a small file into gigabytes. */
const COLUMNS_MAX = 16_384;

/** How a file is to be read. */
export interface Reading {
  readonly dialect: Dialect;
  readonly hasHeader: boolean;
  /** Zero-based; null: no column holds addresses, and every row counts as skipped. */
  readonly emailColumn: number | null;
}

/** What a file holds. */
export interface FileFacts {
  readonly rows: number;
  /** Rows that will not be checked: empty cell, no `@`, over 320 characters. */
  readonly invalid: number;
  readonly unique: number;
  /** By range of addresses: rows beyond the first of each address. */
  readonly repeats: readonly number[];
  readonly rowIndex: Uint8Array<ArrayBuffer>;
  readonly addressFile: Uint8Array<ArrayBuffer>;
}

export type FileFault = 'not_text' | 'unclosed_quote' | 'no_rows' | 'too_many_rows';

/** One pass over a file: counts its rows, numbers its distinct addresses and notes where each row's new cells go. */
export class FileIngest implements RowSink {
  private readonly reading: Reading;
  private readonly scanner: CsvScanner;
  private readonly reader = new AddressReader();
  private width = 0;
  private readonly starts = new Uint32Array(LINES_MAX);
  private readonly ends = new Uint32Array(LINES_MAX);
  private readonly numbers = new Uint32Array(LINES_MAX);
  private readonly padding = new Uint16Array(LINES_MAX);
  private lines = 0;
  private rows = 0;
  private invalid = 0;
  private readonly addresses = new ByteTable();
  private readonly literals = new ByteList();
  private readonly domains = new ByteTable();
  /** Of each address, the number of its domain. */
  private readonly domainOf = new Uint32Array(ROWS_MAX);

  constructor(reading: Reading) {
    this.reading = reading;
    this.scanner = new CsvScanner(reading.dialect, reading.emailColumn ?? -1, this);
  }

  /** The next bytes; false when the file is seen to be none that is taken. */
  write(bytes: Uint8Array): boolean {
    this.scanner.write(bytes);
    return this.rows <= ROWS_MAX && !this.scanner.hasNul;
  }

  /** Nothing can be written after it. */
  end(): FileFacts | FileFault {
    const facts = this.facts();
    for (const held of [this.addresses, this.literals, this.domains]) held.release();
    release(this.starts, this.ends, this.numbers, this.padding, this.domainOf);
    return facts;
  }

  row(startByte: number, endByte: number, cells: number, units: Units | null, from: number, to: number): void {
    const isHeader = this.lines === 0 && this.reading.hasHeader;
    if (!isHeader) this.rows += 1;
    if (this.rows > ROWS_MAX) return;
    if (this.lines === 0) this.width = Math.min(cells, COLUMNS_MAX);
    this.starts[this.lines] = startByte;
    this.ends[this.lines] = endByte;
    this.padding[this.lines] = Math.max(0, this.width - cells);
    this.numbers[this.lines] = isHeader ? HEADER_ROW : this.take(units, from, to);
    this.lines += 1;
  }

  private facts(): FileFacts | FileFault {
    const isClosed = this.scanner.end();
    // Reading was broken off there: some other kind of file that begins like a text.
    if (this.scanner.hasNul) return 'not_text';
    if (this.rows > ROWS_MAX) return 'too_many_rows';
    if (!isClosed) return 'unclosed_quote';
    if (this.rows === 0) return 'no_rows';
    const { size } = this.addresses;
    const { places, order } = this.byDomain();
    const numbers = this.numbers.subarray(0, this.lines);
    // Each address has a first row, which is none of them.
    const repeats = Array.from({ length: rangesOf(size) }, (_, range) =>
      Math.max(-RANGE_ADDRESSES, RANGE_ADDRESSES * range - size),
    );
    for (let line = 0; line < numbers.length; line += 1) {
      const number = numbers[line] ?? 0;
      if (number >= size) continue;
      const place = places[number] ?? number;
      numbers[line] = place;
      const range = Math.floor(place / RANGE_ADDRESSES);
      repeats[range] = (repeats[range] ?? 0) + 1;
    }
    return {
      rows: this.rows,
      invalid: this.invalid,
      unique: size,
      repeats,
      rowIndex: encodeRowIndex({
        starts: this.starts.subarray(0, this.lines),
        ends: this.ends.subarray(0, this.lines),
        numbers,
        padding: this.padding.subarray(0, this.lines),
      }),
      addressFile: encodeAddressFile(this.literals, order),
    };
  }

  private take(units: Units | null, from: number, to: number): number {
    const address = units === null ? null : this.reader.read(units, from, to);
    if (address === null) {
      this.invalid += 1;
      return SKIPPED_ROW;
    }
    const { identity, domainAt, identityEnd, literal, literalEnd } = address;
    const known = this.addresses.size;
    const number = this.addresses.number(identity, 0, identityEnd);
    if (number === known) {
      this.domainOf[number] = this.domains.number(identity, domainAt, identityEnd);
      this.literals.push(literal, 0, literalEnd);
    }
    return number;
  }

  /** Addresses of one domain follow each other, in the order they came: a range then asks about few domains. */
  private byDomain(): { readonly places: Uint32Array; readonly order: Uint32Array } {
    const { domainOf } = this;
    const { size } = this.addresses;
    /** Where the next address of each domain goes. */
    const next = new Uint32Array(this.domains.size + 1);
    const count = (domain: number): number => next[domain] ?? 0;
    for (let number = 0; number < size; number += 1) {
      const behind = (domainOf[number] ?? 0) + 1;
      next[behind] = count(behind) + 1;
    }
    for (let domain = 1; domain < next.length; domain += 1) next[domain] = count(domain) + count(domain - 1);
    const places = new Uint32Array(size);
    const order = new Uint32Array(size);
    for (let number = 0; number < size; number += 1) {
      const domain = domainOf[number] ?? 0;
      const place = count(domain);
      next[domain] = place + 1;
      places[number] = place;
      order[place] = number;
    }
    return { places, order };
  }
}
