import {
  AddressFile,
  ByteList,
  HEADER_ROW,
  CHUNK_ADDRESSES,
  SKIPPED_ROW,
  encodeRowIndex,
  chunksOf,
  release,
} from './address-file.ts';
import { type CsvLayout, type Units, unitBytes } from './dialect.ts';
import { FingerprintTable, AddressReader } from './identity.ts';
import { type DomainShare, LargestDomains } from '../breakdown.ts';
import { CsvScanner, type RowSink } from './scan.ts';

export const ROWS_MAX = 100_000;
const LINES_MAX = ROWS_MAX + 1;

/** A spreadsheet's width; short rows are not padded further. */
const COLUMNS_MAX = 16_384;

/**
 * Bytes of padding for short rows, about those of the new cells of 100,000 rows. Unbounded, a header of 16,384 columns
 * above 100,000 one-letter rows would make 1.6 GB of 216 KB.
 */
export const PADDING_BYTES_MAX = 20 * 2 ** 20;

/**
 * Bytes of addresses held before a piece is written: three times a usual file's. The longest 100,000 would take 190 MB
 * as JSON.
 */
const HELD_BYTES_MAX = 8 * 2 ** 20;

export interface FileFacts {
  readonly rows: number;
  /** Rows that are not checked: empty cell, no `@`, over 320 characters, two addresses. */
  readonly invalid: number;
  readonly unique: number;
  /** For each chunk, the rows beyond the first of each address. */
  readonly repeats: readonly number[];
  /** Largest first. */
  readonly domains: readonly DomainShare[];
  readonly rowIndex: Uint8Array<ArrayBuffer>;
  /** The rest of the address file, after the pieces already taken. */
  readonly addressFile: Uint8Array<ArrayBuffer>;
}

export type FileFault = 'not_text' | 'unclosed_quote' | 'no_rows' | 'too_many_rows' | 'too_wide';

/** One pass over a file: counts rows, numbers distinct addresses and indexes where each row's new cells go. */
export class FileIngest implements RowSink {
  private readonly layout: CsvLayout;
  private readonly scanner: CsvScanner;
  private readonly reader: AddressReader;
  private width = 0;
  private paddingBytes = 0;
  private readonly starts = new Uint32Array(LINES_MAX);
  private readonly ends = new Uint32Array(LINES_MAX);
  private readonly numbers = new Uint32Array(LINES_MAX);
  private readonly padding = new Uint16Array(LINES_MAX);
  private lines = 0;
  private rows = 0;
  private invalid = 0;
  private readonly addresses = new FingerprintTable();
  private readonly domains = new FingerprintTable();
  private readonly largest = new LargestDomains(ROWS_MAX);
  /** Each address's domain number, and its place in the address file. */
  private readonly domainOf = new Uint32Array(ROWS_MAX);
  private readonly places = new Uint32Array(ROWS_MAX);
  private readonly addressFile = new AddressFile(ROWS_MAX);
  /** Addresses already written, and those still held. */
  private taken = 0;
  private readonly literals = new ByteList();

  constructor(layout: CsvLayout, isPasted = false) {
    this.layout = layout;
    this.reader = new AddressReader(isPasted);
    this.scanner = new CsvScanner(layout.dialect, layout.emailColumn ?? -1, this);
  }

  /** Returns false once the file proves unusable. */
  write(bytes: Uint8Array): boolean {
    this.scanner.write(bytes);
    return this.rows <= ROWS_MAX && this.paddingBytes <= PADDING_BYTES_MAX && !this.scanner.hasNul;
  }

  /** The next piece of the address file, or null while it is not full. To be called after every write. */
  takePiece(): Uint8Array<ArrayBuffer> | null {
    if (this.literals.byteLength < HELD_BYTES_MAX) return null;
    return this.piece(Math.floor(this.literals.size / CHUNK_ADDRESSES) * CHUNK_ADDRESSES, false);
  }

  /** Ends the pass; no write may follow. */
  end(): FileFacts | FileFault {
    const facts = this.facts();
    for (const held of [this.addresses, this.literals, this.domains]) held.release();
    release(this.starts, this.ends, this.numbers, this.padding, this.domainOf, this.places);
    return facts;
  }

  row(startByte: number, endByte: number, cells: number, units: Units | null, from: number, to: number): void {
    const isHeader = this.lines === 0 && this.layout.hasHeader;
    if (!isHeader) this.rows += 1;
    if (this.rows > ROWS_MAX) return;
    if (this.lines === 0) this.width = Math.min(cells, COLUMNS_MAX);
    this.starts[this.lines] = startByte;
    this.ends[this.lines] = endByte;
    const padding = Math.max(0, this.width - cells);
    this.padding[this.lines] = padding;
    this.paddingBytes += padding * unitBytes(this.layout.dialect);
    this.numbers[this.lines] = isHeader ? HEADER_ROW : this.take(units, from, to);
    this.lines += 1;
  }

  private facts(): FileFacts | FileFault {
    const isClosed = this.scanner.end();
    // Reading stopped at a NUL: a binary file that starts like text.
    if (this.scanner.hasNul) return 'not_text';
    if (this.rows > ROWS_MAX) return 'too_many_rows';
    if (this.paddingBytes > PADDING_BYTES_MAX) return 'too_wide';
    if (!isClosed) return 'unclosed_quote';
    if (this.rows === 0) return 'no_rows';
    const { size } = this.addresses;
    const addressFile = this.piece(this.literals.size, true);
    const numbers = this.numbers.subarray(0, this.lines);
    // An address's first row is not a repeat.
    const repeats = Array.from({ length: chunksOf(size) }, (_, chunk) =>
      Math.max(-CHUNK_ADDRESSES, CHUNK_ADDRESSES * chunk - size),
    );
    for (let line = 0; line < numbers.length; line += 1) {
      const number = numbers[line] ?? 0;
      if (number >= size) continue;
      const place = this.places[number] ?? number;
      numbers[line] = place;
      const chunk = Math.floor(place / CHUNK_ADDRESSES);
      repeats[chunk] = (repeats[chunk] ?? 0) + 1;
    }
    return {
      rows: this.rows,
      invalid: this.invalid,
      unique: size,
      repeats,
      domains: this.largest.list(),
      rowIndex: encodeRowIndex({
        starts: this.starts.subarray(0, this.lines),
        ends: this.ends.subarray(0, this.lines),
        numbers,
        padding: this.padding.subarray(0, this.lines),
      }),
      addressFile,
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
      const domain = this.domains.number(identity, domainAt, identityEnd);
      this.domainOf[number] = domain;
      this.largest.count(domain, identity, domainAt, identityEnd);
      this.literals.push(literal, literalEnd);
    }
    return number;
  }

  /** Places the next `count` addresses in the file and frees them. */
  private piece(count: number, isLast: boolean): Uint8Array<ArrayBuffer> {
    const piece = this.addressFile.piece(this.literals, this.byDomain(count), isLast);
    this.literals.drop(count);
    this.taken += count;
    return piece;
  }

  /** Groups addresses by domain, in order of arrival, so that a chunk asks about few domains. */
  private byDomain(count: number): Uint32Array {
    const next = new Uint32Array(this.domains.size + 1);
    const domainOf = (i: number): number => this.domainOf[this.taken + i] ?? 0;
    const at = (domain: number): number => next[domain] ?? 0;
    for (let i = 0; i < count; i += 1) next[domainOf(i) + 1] = at(domainOf(i) + 1) + 1;
    for (let domain = 1; domain < next.length; domain += 1) next[domain] = at(domain) + at(domain - 1);
    const order = new Uint32Array(count);
    for (let i = 0; i < count; i += 1) {
      const place = at(domainOf(i));
      next[domainOf(i)] = place + 1;
      this.places[this.taken + i] = this.taken + place;
      order[place] = i;
    }
    return order;
  }
}
