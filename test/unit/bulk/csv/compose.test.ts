import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NewColumns, ResultComposer } from '../../../../src/domain/bulk/csv/compose.ts';
import { detect } from '../../../../src/domain/bulk/csv/detect.ts';
import type { CsvLayout } from '../../../../src/domain/bulk/csv/dialect.ts';
import {
  decodeRowIndex,
  HEADER_ROW,
  type RowIndex,
  SKIPPED_ROW,
} from '../../../../src/domain/bulk/csv/address-file.ts';
import { blocks, decoded, encoded, file, ingested, quote, utf8 } from './files.ts';

const OK = ['ok'];
const SOURCE: NewColumns = {
  header: ['svc_status', 'svc_n'],
  cells: (number) =>
    number === SKIPPED_ROW ? { shared: ['skipped'], own: [''] } : { shared: OK, own: [String(number)] },
  includes: null,
};

/** An upload with its results, composed in blocks of `cut` bytes. */
function download(bytes: Uint8Array, cut: number, source: Partial<NewColumns> = {}, reading?: Partial<CsvLayout>) {
  const found = detect(bytes.subarray(0, 65_536), bytes.length <= 65_536, { hasHeader: null, emailColumn: null });
  if (typeof found === 'string') throw new Error(found);
  const facts = ingested(bytes, { ...found, ...reading }, cut);
  if (typeof facts === 'string') throw new Error(facts);
  const index = decodeRowIndex(facts.rowIndex.buffer);
  if (index === null) throw new Error('no index');
  const composer = new ResultComposer(found.dialect, found.charset, index, { ...SOURCE, ...source });
  const written = blocks(bytes, cut).flatMap((block) => Array.from(composer.write(block), (chunk) => chunk.slice()));
  return { index, out: Buffer.concat([...written, composer.end()]) };
}
const text = (upload: string, cut = 5, source: Partial<NewColumns> = {}, reading?: Partial<CsvLayout>): string =>
  decoded(download(utf8(upload), cut, source, reading).out);
const only = (...numbers: number[]): Partial<NewColumns> => ({ includes: (number) => numbers.includes(number) });

/** A result without its new cells: these stand where the index says. */
function withoutCells(out: Buffer, { ends, numbers, padding }: RowIndex, unitBytes: number): Buffer {
  const kept: Buffer[] = [];
  let at = 0;
  let from = 0;
  for (const [row, end] of ends.entries()) {
    kept.push(out.subarray(at, at + end - from));
    const number = numbers[row] ?? 0;
    const { shared, own } = number === HEADER_ROW ? { shared: ['svc_status'], own: ['svc_n'] } : SOURCE.cells(number);
    const cells = [...shared, ...own];
    at += end - from + (1 + cells.join(',').length + (padding[row] ?? 0)) * unitBytes;
    from = end;
  }
  return Buffer.concat([...kept, out.subarray(at)]);
}

describe('a file with its results', () => {
  it('contains every byte of the upload, and the new cells after each row', () => {
    const upload = 'name,email\r\n"Ada, L.",ada@example.com\r\n\r\nBob\r\nEve,eve@EXAMPLE.com,x\r\n';
    for (const cut of [1, 3, 7, 1_000]) {
      expect(text(upload, cut)).toBe(
        'name,email,svc_status,svc_n\r\n"Ada, L.",ada@example.com,ok,0\r\n\r\nBob,,skipped,\r\nEve,eve@EXAMPLE.com,x,ok,1\r\n',
      );
    }
  });

  it('is the upload byte for byte, for any file, when the new cells are cut off', () => {
    fc.assert(
      fc.property(file, ({ rows, delimiter, lineBreak, encoding, bom, ends, cut }) => {
        const table = [['x', 'email'], ...rows.map(([first = '', , ...rest]) => [first, 'ada@example.com', ...rest])];
        const body = table.map((row) => row.map((one) => quote(one, delimiter)).join(delimiter)).join(lineBreak);
        const isMarked = bom || encoding !== 'utf-8';
        const bytes = encoded(`${isMarked ? '\ufeff' : ''}${body}${ends ? lineBreak : ''}`, encoding);
        const { index, out } = download(bytes, cut);
        expect(withoutCells(out, index, encoding === 'utf-8' ? 1 : 2).equals(Buffer.from(bytes))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('keeps bytes that are not UTF-8', () => {
    const upload = Buffer.from('pr\u00e9nom;email\nRen\u00e9;a@example.com\n', 'latin1');
    const { out } = download(new Uint8Array(upload), 4);
    expect(out.toString('latin1')).toBe('pr\u00e9nom;email;svc_status;svc_n\nRen\u00e9;a@example.com;ok;0\n');
  });

  it('writes a corrected address as the cell it is made of: Windows-1252, UTF-8 where that lacks a letter', () => {
    const upload = Buffer.from('name;email\nRen\u00e9;ren\u00e9@gmial.com\n', 'latin1');
    const cells = (own: string) =>
      download(new Uint8Array(upload), 4, { cells: () => ({ shared: OK, own: [own] }) }).out;
    expect(cells('ren\u00e9\u20ac@gmail.com')).toEqual(
      Buffer.from('name;email;svc_status;svc_n\nRen\xe9;ren\xe9@gmial.com;ok;ren\xe9\x80@gmail.com\n', 'latin1'),
    );
    expect(cells('\u0434\u0430@gmail.com').toString()).toContain(';ok;\u0434\u0430@gmail.com\n');
    const utf = download(utf8('email\nren\u00e9@gmial.com'), 4, {
      cells: () => ({ shared: OK, own: ['ren\u00e9@gmail.com'] }),
    });
    expect(utf.out.toString()).toBe('email,svc_status,svc_n\nren\u00e9@gmial.com,ok,ren\u00e9@gmail.com');
  });

  it('writes its cells in the encoding of the file', () => {
    const bytes = encoded('\ufeffemail\na@example.com', 'utf-16be');
    expect(download(bytes, 3).out).toEqual(
      Buffer.from(encoded('\ufeffemail,svc_status,svc_n\na@example.com,ok,0', 'utf-16be')),
    );
  });

  const FILES: readonly (readonly [string, string, string])[] = [
    ['no header', 'a@example.com\nb@example.com', 'a@example.com,ok,0\nb@example.com,ok,1'],
    [
      'blank lines everywhere',
      '\n\nemail\n\na@example.com\n\n',
      '\n\nemail,svc_status,svc_n\n\na@example.com,ok,0\n\n',
    ],
    [
      'columns of an earlier result',
      'email,svc_status\na@example.com,ok\n',
      'email,svc_status,svc_status,svc_n\na@example.com,ok,ok,0\n',
    ],
    ['CRs', 'email\ra@example.com\r', 'email,svc_status,svc_n\ra@example.com,ok,0\r'],
    [
      'both kinds of break',
      'email\r\na@example.com\nb@example.com\r\r\n',
      'email,svc_status,svc_n\r\na@example.com,ok,0\nb@example.com,ok,1\r\r\n',
    ],
    ['spaces and quotes kept', 'email\n "a@example.com" \n', 'email,svc_status,svc_n\n "a@example.com" ,ok,0\n'],
  ];
  it.each(FILES)('of a file with %s', (_, upload, expected) => {
    for (const cut of [1, 2, 100]) expect(text(upload, cut)).toBe(expected);
  });

  it('quotes a cell that holds what parts cells, rows or quotes', () => {
    const cells = ['a,b', 'a;b', 'a"b', 'a\nb', 'plain'];
    const source = { cells: () => ({ shared: cells.slice(0, -1), own: cells.slice(-1) }) };
    expect(text('a@example.com', 9, source)).toBe('a@example.com,"a,b",a;b,"a""b","a\nb",plain');
    expect(text('x;a@example.com', 9, source)).toBe('x;a@example.com;a,b;"a;b";"a""b";"a\nb";plain');
  });

  it('comes in pieces of bounded size, also where a row is padded far', () => {
    const upload = utf8(`email${','.repeat(10_000)}\n${'a@example.com\n'.repeat(200)}`);
    const facts = ingested(upload, {
      dialect: { encoding: 'utf-8', prefaceBytes: 0, delimiter: ',', lineBreak: 'lf' },
      hasHeader: true,
      emailColumn: 0,
    });
    if (typeof facts === 'string') throw new Error(facts);
    const index = decodeRowIndex(facts.rowIndex.buffer);
    if (index === null) throw new Error('no index');
    const composer = new ResultComposer(
      { encoding: 'utf-8', prefaceBytes: 0, delimiter: ',', lineBreak: 'lf' },
      null,
      index,
      SOURCE,
    );
    const sizes = [...composer.write(upload), composer.end()].map(({ length }) => length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(65_536);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(2e6);
  });
});

describe('a segment of it', () => {
  const UPLOAD = '\ufeff\nemail,n\n"a@example.com",1\n\nb@example.com,2\nno,3\nc@example.com,"4\n4"';
  const HEADER = 'email,n,svc_status,svc_n';
  const SEGMENTS: readonly (readonly [string, Partial<NewColumns>, string])[] = [
    ['none', only(), `\ufeff${HEADER}`],
    ['the first', only(0), `\ufeff${HEADER}\n"a@example.com",1,ok,0`],
    ['one behind a blank line, which does not come along', only(1), `\ufeff${HEADER}\nb@example.com,2,ok,1`],
    ['the last', only(2), `\ufeff${HEADER}\nc@example.com,"4\n4",ok,2`],
    ['several', only(0, 2), `\ufeff${HEADER}\n"a@example.com",1,ok,0\nc@example.com,"4\n4",ok,2`],
    ['the skipped', only(SKIPPED_ROW), `\ufeff${HEADER}\nno,3,skipped,`],
  ];
  it.each(SEGMENTS)('is the header and each wanted row with its own bytes: %s', (_, source, expected) => {
    for (const cut of [1, 2, 4, 100]) expect(text(UPLOAD, cut, source)).toBe(expected);
  });

  it.each(['utf-8', 'utf-16le', 'utf-16be'] as const)('is free of blank lines, however rows end, in %s', (encoding) => {
    for (const lineBreak of ['\n', '\r\n', '\r\r\n', '\r']) {
      const lines = ['', 'email', '', '', 'a@example.com', '', 'b@example.com', '', 'c@example.com', '', ''];
      const bytes = encoded(`\ufeff${lines.join(lineBreak)}`, encoding);
      const kept = ['email,svc_status,svc_n', 'a@example.com,ok,0', 'c@example.com,ok,2', ''];
      const expected = Buffer.from(encoded(`\ufeff${kept.join(lineBreak)}`, encoding));
      for (const cut of [1, 2, 3, 100]) expect(download(bytes, cut, only(0, 2)).out).toEqual(expected);
    }
  });

  it('begins with its first wanted row when the file has no header', () => {
    const upload = 'a@example.com\nb@example.com\n\nc@example.com\n';
    expect([0, 1, 2, 9].map((number) => text(upload, 5, only(number)))).toEqual([
      'a@example.com,ok,0\n',
      'b@example.com,ok,1\n',
      'c@example.com,ok,2\n',
      '',
    ]);
  });

  it('reads back as the wanted rows, whatever the file', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 20 }),
        fc.nat({ max: 6 }),
        fc.boolean(),
        fc.nat({ max: 30 }),
        (people, wanted, ends, cut) => {
          const rows = people.map((who, i) => `${i},p${who}@example.com`);
          const first = [...new Set(people)].indexOf(wanted);
          const out = text(`n,email\n${rows.join('\n')}${ends ? '\n' : ''}`, cut + 1, only(first));
          const kept = out
            .trimEnd()
            .split('\n')
            .slice(1)
            .map((row) => row.split(',').slice(0, 2).join(','));
          expect(kept).toEqual(rows.filter((row) => row.endsWith(`,p${wanted}@example.com`)));
        },
      ),
    );
  });
});
