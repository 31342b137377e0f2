import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Papa from 'papaparse';
import { type FileFacts, FileIngest } from '../../src/domain/bulk/csv/ingest.ts';
import type { CsvLayout } from '../../src/domain/bulk/csv/dialect.ts';
import { type BenchRow, ROUNDS, ratio, takeTurns } from './measure.ts';

/** As blocks of a stored file come in. */
const BLOCK_BYTES = 64 * 1024;
const MB = 2 ** 20;

const ROWS = 100_000;
const COLUMNS = 30;
const EMAIL_COLUMN = 4;

/** One address in ten comes again, half of those spelt otherwise. */
const email = (row: number): string => {
  const name = `ada.lovelace+${row % 10 === 9 ? row - 9 : row}@company-${row % 4_000}.example`;
  return row % 20 === 19 ? `ADA.lovelace+${row - 9}@company-${(row - 9) % 4_000}.EXAMPLE` : name;
};

/** What the other columns hold, taken in turns: plain, quoted for its comma, with doubled quotes, over two lines, empty. */
const CELLS: readonly ((row: number, column: number) => string)[] = [
  (row, column) => `value ${row * column} of ${column}`,
  (row) => `customer-${row}-active`,
  (row, column) => (row % 10 === 0 ? `"Lovelace, Ada ${column}"` : `Grace Hopper ${row}`),
  (row) => `2026-03-${10 + (row % 20)}T12:00:00`,
  (row, column) => (row % 50 === column ? `"said ""yes""\nand left"` : `${row}.${column}`),
  (row) => `Street of Lamps ${row % 997}`,
  () => '',
];

/** A file of 46 MB: header, 30 columns, CRLF. */
function csvFile(): string {
  const titles = Array.from({ length: COLUMNS }, (_, column) =>
    column === EMAIL_COLUMN ? 'email' : `column ${column}`,
  );
  const lines = [titles.join(',')];
  for (let row = 0; row < ROWS; row += 1) {
    const cells = titles.map((_, column) =>
      column === EMAIL_COLUMN ? email(row) : (CELLS[(row + column) % CELLS.length]?.(row, column) ?? ''),
    );
    lines.push(cells.join(','));
  }
  return `${lines.join('\r\n')}\r\n`;
}

const READING: CsvLayout = {
  dialect: { encoding: 'utf-8', prefaceBytes: 0, delimiter: ',', lineBreak: 'lf' },
  hasHeader: true,
  emailColumn: EMAIL_COLUMN,
};

function ingest(bytes: Uint8Array): FileFacts {
  const reader = new FileIngest(READING);
  for (let from = 0; from < bytes.length; from += BLOCK_BYTES) reader.write(bytes.subarray(from, from + BLOCK_BYTES));
  const facts = reader.end();
  if (typeof facts === 'string') throw new Error(facts);
  return facts;
}

/** Milliseconds of one run, after the garbage of the others is collected. */
function time(call: () => number, rows: number, collect: () => void): number {
  collect();
  const started = performance.now();
  const seen = call();
  const taken = performance.now() - started;
  if (seen !== rows) throw new Error(`${seen} rows, not ${rows}`);
  return taken;
}

/** The most bytes held, on the heap and beside it, by an ingest of a list of 100,000 different addresses. */
async function held(collect: () => void, address: (row: number) => string): Promise<number> {
  const list = new TextEncoder().encode(Array.from({ length: ROWS }, (_, row) => `${address(row)}\n`).join(''));
  const used = (): number => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  collect();
  // What is freed beside the heap is freed a little later.
  await sleep(100);
  const before = used();
  const reader = new FileIngest({ ...READING, hasHeader: false, emailColumn: 0 });
  let most = 0;
  const newest: { piece: Uint8Array | null } = { piece: null };
  for (let from = 0; from < list.length; from += BLOCK_BYTES) {
    reader.write(list.subarray(from, from + BLOCK_BYTES));
    newest.piece = reader.takePiece();
    if (newest.piece !== null) most = Math.max(most, used());
  }
  most = Math.max(most, used());
  const facts = reader.end();
  if (typeof facts === 'string' || facts.unique !== ROWS) throw new Error('not all of them');
  return most - before;
}

/** Reading a file with its duplicates beside papaparse's reading of the text alone, and the memory that a list takes. */
export async function run(isQuick: boolean): Promise<BenchRow[]> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const text = Buffer.from(csvFile()).toString();
  const bytes = new TextEncoder().encode(text);
  const papa = { delimiter: ',', newline: '\r\n', skipEmptyLines: true } as const;
  const contestants = {
    ours: () => time(() => ingest(bytes).rows + 1, ROWS + 1, collect),
    theirs: () => time(() => Papa.parse(text, papa).data.length, ROWS + 1, collect),
  };
  const turns = await takeTurns(contestants, isQuick ? 3 : ROUNDS);
  const usual = (await held(collect, (row) => `ada.lovelace+${row}@example${row}.com`)) / MB;
  const longest = (await held(collect, (row) => `${'a'.repeat(64)}@${`${row}-`.padEnd(240, 'label.')}example`)) / MB;
  const unit = `ms for ${(bytes.length / MB).toFixed(1)} MB, ${ROWS} rows; ours from bytes, with dedupe`;
  return [
    { ...ratio(`ingest / papaparse, ${COLUMNS} columns`, turns.ours, turns.theirs, unit), target: { atMost: 1 } },
    {
      name: 'memory held by an ingest',
      value: usual,
      unit: 'MB',
      target: { atMost: 40 },
      note: `${ROWS} different addresses and domains; of 313 characters each: ${longest.toFixed(0)} MB`,
    },
  ];
}
