import fc from 'fast-check';
import { parseChunk, chunkPlace, chunksOf, tablePlace } from '../../../../src/domain/bulk/csv/address-file.ts';
import type { CsvLayout, Dialect } from '../../../../src/domain/bulk/csv/dialect.ts';
import { type FileFacts, FileIngest } from '../../../../src/domain/bulk/csv/ingest.ts';

export const COMMA: Dialect = { encoding: 'utf-8', prefaceBytes: 0, delimiter: ',', lineBreak: 'lf' };
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
export const decoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** As a file is written that begins with `\ufeff` where it has a mark. */
export function encoded(text: string, encoding: Dialect['encoding']): Uint8Array {
  if (encoding === 'utf-8') return utf8(text);
  const bytes = Buffer.from(text, 'utf16le');
  return new Uint8Array(encoding === 'utf-16be' ? bytes.swap16() : bytes);
}

export const blocks = (bytes: Uint8Array, size: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));

/**
 * Ingests a file block by block. Each block is overwritten after its call, as a stream's buffer may be.
 * @returns facts, or what is wrong with the file
 */
export function ingested(bytes: Uint8Array, reading: CsvLayout, size = 1_000, isPasted = false): FileFacts | string {
  const ingest = new FileIngest(reading, isPasted);
  const pieces: Uint8Array[] = [];
  for (const block of blocks(bytes, size)) {
    const copy = block.slice();
    if (!ingest.write(copy)) break;
    copy.fill(0x78);
    pieces.push(ingest.takePiece() ?? new Uint8Array());
  }
  const facts = ingest.end();
  if (typeof facts === 'string') return facts;
  return { ...facts, addressFile: new Uint8Array(Buffer.concat([...pieces, facts.addressFile])) };
}

export const addressesOf = ({ addressFile, unique }: FileFacts): string[] =>
  Array.from({ length: chunksOf(unique) }, (_, chunk) => {
    const table = new Uint32Array(addressFile.slice(-tablePlace(unique).suffix).buffer);
    const { offset, length } = chunkPlace(table, chunk);
    return parseChunk(decoded(addressFile.subarray(offset, offset + length)));
  }).flat();

const cell = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[a-z0-9 .@é_-]{0,12}$/) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('a,b', 'a;b', 'say "hi"', 'two\nlines', 'two\r\nlines', '"', '', ' x ', 'a"b'),
  },
);
export const quote = (text: string, delimiter: string): string =>
  /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;

/** A file as programs write it. */
export const file = fc.record({
  rows: fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 12 }),
  delimiter: fc.constantFrom<Dialect['delimiter']>(',', ';', '\t', '|'),
  lineBreak: fc.constantFrom('\n', '\r\n', '\r'),
  encoding: fc.constantFrom<Dialect['encoding']>('utf-8', 'utf-16le', 'utf-16be'),
  bom: fc.boolean(),
  ends: fc.boolean(),
  /** Size of the blocks it comes in. */
  cut: fc.integer({ min: 1, max: 40 }),
});
