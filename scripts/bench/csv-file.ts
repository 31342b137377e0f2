export const ROWS = 100_000;
export const COLUMNS = 30;
export const EMAIL_COLUMN = 4;

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

/** A file of 46 MB: header, 30 columns, CRLF. `email`: the address of a row. */
export function csvFile(email: (row: number) => string): string {
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
