import { DependencyError } from '../../kernel/errors.ts';

/** The part of an answer that the driver passes on. */
interface Answer {
  readonly command: string;
  /** The number in the command tag; null where it has none. */
  readonly rowCount: number | null;
  readonly rows: readonly unknown[];
}

const NO_CODE = /'[^']*'|"[^"]*"|--[^\n]*/g;
const BRACKET_OR_COMMAND = /[()]|\b(?:select|insert|update|delete)\b/gi;

/** The first word of the tag that Postgres answers a statement with: behind `with …` it is the main statement's. */
export function commandOf(statement: string): string {
  const first = /\w+/.exec(statement)?.[0].toUpperCase() ?? '';
  if (first !== 'WITH') return first;
  let depth = 0;
  for (const [token] of statement.replaceAll(NO_CODE, '').matchAll(BRACKET_OR_COMMAND)) {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    else if (depth === 0) return token.toUpperCase();
  }
  return first;
}

const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE']);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** An answer that can't belong to the statement does not tell whether the statement ran, so it counts as an outage. */
const stray = (why: string): DependencyError =>
  new DependencyError('postgres', 'Postgres gave no usable answer', { cause: new Error(why) });

/** Throws where an answer's command or count of rows can't be those of the statement that was sent. */
export function requireAnswerTo(statement: string, { command, rowCount, rows }: Answer): void {
  const sent = commandOf(statement);
  if (command.split(' ', 1)[0] !== sent) throw stray('the answer names another command');
  if (sent === 'SELECT' && rowCount !== rows.length) throw stray('the answer counts other rows than it has');
  // Only a statement with `returning` gives rows: each one that it changed.
  if (CHANGES.has(sent) && (!isCount(rowCount) || (rows.length > 0 && rows.length !== rowCount)))
    throw stray('the answer’s count of rows is impossible');
}

/** Throws where a statement has changed, or found, more rows than what was sent with it can have. */
export function requireAtMost(rows: number, result: unknown): void {
  const { rowCount } = result as Partial<Answer>;
  if (isCount(rowCount) && rowCount > rows) throw stray('the answer counts more rows than were sent');
}
