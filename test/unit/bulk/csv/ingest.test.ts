import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAddress, withoutSurroundings } from '../../../../src/domain/address/parse.ts';
import type { CsvLayout, Dialect } from '../../../../src/domain/bulk/csv/dialect.ts';
import { type FileFacts, PADDING_BYTES_MAX, ROWS_MAX } from '../../../../src/domain/bulk/csv/ingest.ts';
import {
  decodeRowIndex,
  encodeRowIndex,
  HEADER_ROW,
  type RowIndex,
  SKIPPED_ROW,
} from '../../../../src/domain/bulk/csv/address-file.ts';
import { addressesOf, COMMA, encoded, ingested, utf8 } from './files.ts';

const LIST: CsvLayout = { dialect: COMMA, hasHeader: false, emailColumn: 0 };

function facts(text: string | Uint8Array, reading: Partial<CsvLayout> = {}, size = 7): FileFacts {
  const found = ingested(typeof text === 'string' ? utf8(text) : text, { ...LIST, ...reading }, size);
  if (typeof found === 'string') throw new Error(found);
  return found;
}
function index({ rowIndex }: FileFacts): RowIndex {
  const decoded = decodeRowIndex(rowIndex.buffer);
  if (decoded === null) throw new Error('no index');
  return decoded;
}
const numbers = (text: string, reading: Partial<CsvLayout> = {}): number[] => [...index(facts(text, reading)).numbers];
const unique = (...cells: string[]): number =>
  facts(`${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join('\n')}\n`).unique;

describe('a cell', () => {
  const READ: readonly (readonly [cell: string, address: string])[] = [
    ['"Jane Doe" <jane@corp.example>', 'jane@corp.example'],
    ['Doe, Jane <jane@corp.example>', 'jane@corp.example'],
    [' <jane@corp.example> ', 'jane@corp.example'],
    ['jane@corp.example <jane@corp.example>', 'jane@corp.example'],
    ['"<jane@corp.example>', 'jane@corp.example'],
    ['<jane@corp.example', 'jane@corp.example'],
    ['mailto:jane@corp.example', 'jane@corp.example'],
    ['“jane@corp.example”', 'jane@corp.example'],
    ["'jane@corp.example'", 'jane@corp.example'],
    ["'jane@corp.example", 'jane@corp.example'],
    ['jane@corp.example.', 'jane@corp.example'],
    ['jane@corp.example;', 'jane@corp.example'],
    ['Jane Doe <jane@corp.example>;', 'jane@corp.example'],
    ['(jane@corp.example)', 'jane@corp.example'],
    ['\u200Bjane@corp.example\u202C', 'jane@corp.example'],
    ['jane@co\u00ADrp.example', 'jane@corp.example'],
    ['"mailto:jane@corp.example",', 'jane@corp.example'],
  ];
  it.each(READ)('%s is read as its address', (cell, address) =>
    expect(addressesOf(facts(`"${cell.replaceAll('"', '""')}"\n`))).toEqual([address]),
  );

  it.each(['"Jane Doe" <jane@corp.example>', '"Doe, Jane" <jane@corp.example>', '"Jane"<jane@corp.example> '])(
    '%s is read as its address where the file does not quote it once more',
    (line) =>
      expect(addressesOf(facts(`${line}\r\njoe@corp.example\r\n`))).toEqual(['jane@corp.example', 'joe@corp.example']),
  );

  it.each([
    'jane@corp.example; joe@corp.example',
    'jane@corp.example, joe@corp.example',
    'jane@corp.example joe@corp.example',
    'jane@corp.example ::: joe@corp.example',
    'jane@corp.example/joe@corp.example',
    'Jane <jane@corp.example>, Joe <joe@corp.example>',
  ])('%s holds two addresses, and is skipped', (cell) =>
    expect(facts(`"${cell}"\n`)).toMatchObject({ rows: 1, invalid: 1, unique: 0 }),
  );

  it.each(['jane@doe@corp.example', 'jane@corp.example or joe@', 'jane@@corp.example', 'Jane <jane @corp.example>'])(
    '%s is not an address, and is judged as typed',
    (cell) => {
      const [read = ''] = addressesOf(facts(`"${cell}"\n`));
      expect([read, parseAddress(read).ok]).toEqual([cell, false]);
    },
  );
});

describe('counts', () => {
  it('leaves out the header and blank lines', () => {
    const text = '\r\nemail,x\r\n\r\na@example.com,1\r\n,2\r\nb@example.com\r\nA@example.com,3\r\n';
    expect(facts(text, { hasHeader: true })).toMatchObject({ rows: 4, invalid: 1, unique: 2, repeats: [1] });
    expect(numbers(text, { hasHeader: true })).toEqual([HEADER_ROW, 0, SKIPPED_ROW, 1, 0]);
  });

  const SKIPPED: readonly (readonly [string, string])[] = [
    ['empty', ',x'],
    ['white space', ' \t ,x'],
    ['quoted nothing', '""'],
    ['no @', 'ada.example.com'],
    ['321 characters', `${'a'.repeat(309)}@example.com`],
    ['321 characters beyond ASCII', `${'\u00e9'.repeat(309)}@example.com`],
    ['a cell of 1 MB', `${'a'.repeat(1e6)}@example.com`],
  ];
  it.each(SKIPPED)('skips a cell that is %s', (_, row) =>
    expect(facts(`${row}\n`)).toMatchObject({ rows: 1, invalid: 1, unique: 0 }),
  );

  const CHECKED: readonly (readonly [string, string])[] = [
    ['has an @ and nothing else', '@'],
    ['has 320 characters', `${'a'.repeat(308)}@example.com`],
    ['has 320 characters of 3 bytes', `${'\u20ac'.repeat(308)}@example.com`],
    ['has 320 quotes and characters', `"${'""'.repeat(308)}@example.com"`],
  ];
  it.each(CHECKED)('checks a cell that %s', (_, row) =>
    expect(facts(`${row}\n`)).toMatchObject({ invalid: 0, unique: 1 }),
  );

  it('skips every row without a column', () => {
    expect(facts('a@example.com\nb@example.com\n', { emailColumn: null })).toMatchObject({
      rows: 2,
      invalid: 2,
      unique: 0,
    });
  });

  const FAULTS: readonly (readonly [string, string, Partial<CsvLayout>, string])[] = [
    ['only a header', 'email\n', { hasHeader: true }, 'no_rows'],
    ['blank lines', '\n\n', {}, 'no_rows'],
    ['a NUL, wherever it comes', `${'a@example.com\n'.repeat(9_000)}b\0@example.com\n`, {}, 'not_text'],
    ['a NUL inside quotes', 'a@example.com\n"b\0"\n', {}, 'not_text'],
    ['a NUL behind a quote', 'a@example.com\n"b"\0\n', {}, 'not_text'],
    ['a NUL in quotes left open', `a@example.com\n"${'b'.repeat(9_000)}\0`, {}, 'not_text'],
    ['a quote left open', 'a@example.com\n"b\n', {}, 'unclosed_quote'],
    ['a row too many', 'a\n'.repeat(ROWS_MAX + 1), {}, 'too_many_rows'],
    ['a row too many, and a quote left open', `${'a\n'.repeat(ROWS_MAX + 1)}"`, {}, 'too_many_rows'],
  ];
  it.each(FAULTS)('refuses %s', (_, text, reading, fault) => {
    expect(ingested(utf8(text), { ...LIST, ...reading }, 4_096)).toBe(fault);
  });

  it('refuses a NUL of UTF-16, and takes no byte of another character for one', () => {
    const read = (text: string) =>
      ingested(encoded(text, 'utf-16le'), { ...LIST, dialect: { ...LIST.dialect, encoding: 'utf-16le' } });
    expect(read('ad\0@example.com\n')).toBe('not_text');
    expect(read('ad\u0100@example.com\n')).toMatchObject({ unique: 1 });
  });

  it('takes as many rows as are allowed beside a header', () => {
    expect(facts(`email\n${'a@b.example\n'.repeat(ROWS_MAX)}\n`, { hasHeader: true }, 65_536)).toMatchObject({
      rows: ROWS_MAX,
      unique: 1,
    });
  });
});

describe('one address', () => {
  const EQUAL: readonly (readonly [string, string, string])[] = [
    ['case', 'Ada@Example.COM', 'ada@example.com'],
    ['white space and quotes around', ' ada@example.com\u00a0', ' "ada@example.com" '],
    ['a domain and its A-labels', 'ada@b\u00fccher.example', 'ADA@XN--BCHER-KVA.example'],
    ['NFC and NFD', 'jos\u00e9@example.com', 'jose\u0301@example.com'],
    ['quoting that says nothing', '"ada"@example.com', 'ada@example.com'],
    ['case of what is broken', 'Ada@@example', 'ada@@EXAMPLE'],
  ];
  it.each(EQUAL)('however it is spelt: %s', (_, a, b) => expect([unique(a, b), unique(b, a)]).toEqual([1, 1]));

  const DIFFERENT: readonly (readonly [string, string, string])[] = [
    ['plus tags', 'ada+a@example.com', 'ada@example.com'],
    ['dots', 'a.da@gmail.com', 'ada@gmail.com'],
    ['what is broken in different ways', 'ada@@example.com', 'ada@example.com'],
    ['letters that look alike', '\u0430da@example.com', 'ada@example.com'],
  ];
  it.each(DIFFERENT)('and not another: %s', (_, a, b) => expect(unique(a, b)).toBe(2));

  it('is detected as everywhere else in the service', () => {
    const part = fc.stringMatching(/^[aA\u00e9\u00c9.+"\\ -]{0,3}$/);
    const domain = fc.constantFrom(
      'a.example',
      'A.Example',
      'xn--bcher-kva.example',
      'b\u00fccher.example',
      'xn--abc-.example',
      'XN--FA-HIA.example',
      'fa\u00df.example',
      'a--b.example',
      'a',
      '-a.b',
    );
    const cell = fc.tuple(part, domain).map(([local, name]) => `${local}@${name}`);
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 12 }), (cells) => {
        const expected = cells.map((text) => {
          const read = withoutSurroundings(text) ?? text;
          const parsed = parseAddress(read);
          return parsed.ok
            ? parsed.address.normalised
            : read.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
        });
        expect(unique(...cells)).toBe(new Set(expected).size);
      }),
      { numRuns: 500 },
    );
  });

  it('is kept as it was first typed', () => {
    const cells = [
      '"A ""b\\"@Example.com',
      'J\u00f6rg@example.com',
      '\u{1f600}@example.com',
      'Plain@Example.com',
      'a\u2028@b.example',
    ];
    const text = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join('\n');
    expect(addressesOf(facts(text)).toSorted()).toEqual(cells.toSorted());
    const wide: Dialect = { ...COMMA, encoding: 'utf-16be', prefaceBytes: 2 };
    expect(addressesOf(facts(encoded(`\ufeff${text}`, 'utf-16be'), { dialect: wide })).toSorted()).toEqual(
      cells.toSorted(),
    );
  });

  it('is kept from a Windows-1252 line beside those in UTF-8', () => {
    const bytes = Buffer.concat([
      utf8('j\u00f6rg@example.com\n'),
      Buffer.from('j\u00f6rg@example.com\ne\u20ac', 'latin1'),
      utf8('\n'),
    ]);
    expect(facts(new Uint8Array(bytes))).toMatchObject({ rows: 3, invalid: 1, unique: 1 });
  });
});

describe('order', () => {
  it('keeps the addresses of a domain together, in the order they came', () => {
    const text =
      'ada@acme.test\nbob@other.test\nADA@Acme.test\n eve@ACME.test\nno address\nnot@valid@\nbob@other.test\n';
    expect(addressesOf(facts(text))).toEqual(['ada@acme.test', 'eve@ACME.test', 'bob@other.test', 'not@valid@']);
    expect(numbers(text)).toEqual([0, 2, 0, 1, SKIPPED_ROW, 3, 2]);
  });

  it('numbers the addresses of a file of any size so that each row finds its own', () => {
    const rows = Array.from({ length: 5_000 }, (_, i) => `ada${i % 3_000}@domain${i % 7}.example`);
    const found = facts(rows.join('\n'), {}, 1_000);
    const addresses = addressesOf(found);
    expect(Array.from(index(found).numbers, (number) => addresses[number])).toEqual(rows);
  });
});

describe('padding', () => {
  it('is what a row lacks to the width of the first', () => {
    expect([...index(facts('a,b,c\nx\nx,y\nx,y,z,more\n')).padding]).toEqual([0, 2, 1, 0]);
  });

  it('does not make gigabytes of a row of many columns', () => {
    const [, padding = 0] = index(facts(`${','.repeat(80_000)}\nx\n`)).padding;
    expect(padding).toBeLessThan(20_000);
  });

  it.each([
    ['utf-8', 1],
    ['utf-16le', 2],
  ] as const)('is bounded as a whole, in bytes of %s', (encoding, unitBytes) => {
    const rows = Math.floor(PADDING_BYTES_MAX / unitBytes / 1_000);
    const read = (count: number) =>
      ingested(encoded(`${','.repeat(1_000)}\n${'x\n'.repeat(count)}`, encoding), {
        ...LIST,
        dialect: { ...COMMA, encoding },
      });
    expect(read(rows)).toMatchObject({ rows: rows + 1 });
    expect(read(rows + 1)).toBe('too_wide');
  });
});

describe('the row index', () => {
  it('is read as it was written, and nothing else is', () => {
    const row: RowIndex = {
      starts: Uint32Array.of(3, 9),
      ends: Uint32Array.of(7, 4e9),
      numbers: Uint32Array.of(HEADER_ROW, SKIPPED_ROW),
      padding: Uint16Array.of(0, 65_535),
    };
    const bytes = encodeRowIndex(row);
    expect(decodeRowIndex(bytes.buffer)).toEqual(row);
    expect(decodeRowIndex(bytes.buffer.slice(0, -1))).toBeNull();
    expect(decodeRowIndex(new ArrayBuffer(3))).toBeNull();
    for (const version of [0, 2]) {
      bytes[0] = version;
      expect(decodeRowIndex(bytes.buffer)).toBeNull();
    }
  });
});
