type Row = Readonly<Record<string, unknown>>;

/** Prints an answer: as JSON, or each list as a table and each object as lines of `name  value`. */
export function printAnswer(answer: unknown, json: boolean): void {
  if (json) {
    console.log(JSON.stringify(answer, null, 2));
    return;
  }
  for (const [name, value] of Object.entries(answer as Row)) {
    if (Array.isArray(value)) printTable(name, value as Row[]);
    else if (typeof value === 'object' && value !== null) printLines(value as Row);
    else if (value !== null) console.log(`${name}  ${text(value)}`);
  }
}

function printTable(name: string, rows: readonly Row[]): void {
  const head = rows[0];
  if (!head) {
    console.log(`${name}: none`);
    return;
  }
  if (typeof head !== 'object') {
    for (const row of rows) console.log(`${name}  ${text(row)}`);
    return;
  }
  const columns = Object.keys(head);
  const cells = [columns, ...rows.map((row) => columns.map((column) => text(row[column])))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  for (const line of cells)
    console.log(
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

function printLines(value: Row): void {
  const width = Math.max(...Object.keys(value).map((name) => name.length));
  for (const [name, field] of Object.entries(value)) {
    if (isTable(field))
      printTable(
        name,
        Object.entries(field).map(([key, row]) => ({ [name]: key, ...row })),
      );
    else console.log(`${name.padEnd(width)}  ${text(field)}`);
  }
}

/** Rows by name, as counters come. */
const isTable = (value: unknown): value is Readonly<Record<string, Row>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((row) => typeof row === 'object' && row !== null);

const text = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '-' : JSON.stringify(value);

/** Shows on a terminal's error stream that long work goes on, until the work ends. */
export async function withProgress<T>(label: string, work: Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work;
  const started = Date.now();
  const timer = setInterval(
    () => process.stderr.write(`\r${label} … ${Math.round((Date.now() - started) / 1000)} s`),
    250,
  );
  try {
    return await work;
  } finally {
    clearInterval(timer);
    process.stderr.write('\r\x1b[K');
  }
}

/** How much is done of all, in so many cells. */
export function bar(done: number, total: number, cells: number): string {
  const filled = Math.round((cells * Math.min(done, total)) / Math.max(1, total));
  return '█'.repeat(filled).padEnd(cells, '░');
}

const BAR_CELLS = 30;

/** A bar on a terminal's error stream: call it with how much is done, and with null at the end. */
export function progressBar(label: string, total: number): (done: number | null) => void {
  return (done) => {
    if (!process.stderr.isTTY) return;
    if (done === null) {
      process.stderr.write('\r\x1b[K');
      return;
    }
    process.stderr.write(`\r${label} ${bar(done, total, BAR_CELLS)} ${done} of ${total}`);
  };
}
