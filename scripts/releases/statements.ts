/** A migration statement's effect on the release that still runs. */
export type Effect =
  /** It works as before. */
  | 'expand'
  /** It works once it no longer needs what is dropped. */
  | 'contract'
  /** It breaks, now or later. */
  | 'never';

interface Form {
  readonly pattern: RegExp;
  readonly effect: Effect;
  readonly reason: string;
}

const KNOWS_THE_OLD_NAME = 'the release before knows the old name: add the new one, drop the old one a release later';

/**
 * The forms of a statement; the first match decides, and anything else is refused. Patterns see the statement in lower
 * case, without comments, texts and the content of parentheses.
 */
const FORMS: readonly Form[] = [
  {
    pattern: /^create table if not exists /,
    effect: 'never',
    reason: 'a step runs once: a table that is there already is not the one meant',
  },
  { pattern: /^create table /, effect: 'expand', reason: 'the release before does not know the table' },
  { pattern: /^create index /, effect: 'expand', reason: 'it changes no answer' },
  { pattern: /^alter table \S+ set \(/, effect: 'expand', reason: 'it changes no answer' },
  { pattern: /^alter table [^,]+,/, effect: 'never', reason: 'write each action as a statement of its own' },
  {
    pattern: /^alter table \S+ add column (?=.* not null\b)(?!.* default\b)/,
    effect: 'never',
    reason: 'the release before inserts rows without it: let it be null or give it a default',
  },
  {
    pattern: /^alter table \S+ add column .* (?:unique|primary key|references|check)\b/,
    effect: 'never',
    reason: 'the release before may write rows that it refuses: add the column alone',
  },
  { pattern: /^alter table \S+ add column /, effect: 'expand', reason: 'the release before leaves it out' },
  { pattern: /^alter table .* rename /, effect: 'never', reason: KNOWS_THE_OLD_NAME },
  {
    pattern: /^alter table \S+ alter column \S+ (?:set data )?type /,
    effect: 'never',
    reason: 'the release before reads and writes the old type: add a column, drop the old one a release later',
  },
  { pattern: /^create unique index /, effect: 'contract', reason: 'the release before may write rows that it refuses' },
  {
    pattern: /^alter table \S+ add constraint /,
    effect: 'contract',
    reason: 'the release before may write rows that it refuses',
  },
  {
    pattern: /^alter table \S+ alter column \S+ set not null$/,
    effect: 'contract',
    reason: 'the release before may write a null',
  },
  {
    pattern: /^alter table \S+ alter column \S+ drop (?:not null|default)$/,
    effect: 'contract',
    reason: 'the release before may not read a null, or count on the default',
  },
  { pattern: /^drop (?:table|index) /, effect: 'contract', reason: 'the release before may need it' },
  {
    pattern: /^alter table \S+ drop (?:column|constraint) /,
    effect: 'contract',
    reason: 'the release before may need it',
  },
  { pattern: /^(?:delete from|truncate) /, effect: 'contract', reason: 'the release before may read the rows' },
  { pattern: /^update /, effect: 'never', reason: 'the release before reads the column: fill a new one beside it' },
  {
    pattern: /^insert into /,
    effect: 'never',
    reason: 'the release before may not read such rows: let the Worker write them',
  },
];

const UNKNOWN: Form = {
  pattern: /^/,
  effect: 'never',
  reason: 'its form is not in the table of scripts/releases/statements.ts',
};

const TABLE =
  /^(?:create table|drop table|alter table|insert into|update|delete from|truncate|create (?:unique )?index .*? on)(?: if (?:not )?exists)?(?: only)? ([\w".]+)/;
const ADDED_COLUMN = /^alter table (\S+) add column (?!if )(\S+)/;

/** The statements of a step as the forms see them. */
export function statementsOf(sql: string): string[] {
  const bare = sql
    .replaceAll(/'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\//g, (found) => (found.startsWith("'") ? "''" : ' '))
    .toLowerCase();
  return bare.split(';').flatMap((text) => {
    const statement = flat(text).replaceAll(/\s+/g, ' ').trim();
    return statement === '' ? [] : [statement];
  });
}

/** Empties parentheses. */
function flat(text: string): string {
  const shorter = text.replaceAll(/\([^()]+\)/g, '()');
  return shorter === text ? text : flat(shorter);
}

const unquoted = (name: string): string => name.replaceAll('"', '');

const tableOf = (statement: string): string => unquoted(TABLE.exec(statement)?.[1] ?? '');

/** What the statements since the last release have created: changing it concerns no earlier release. */
export class Made {
  private readonly tables = new Set<string>();
  /** As `table.column`. */
  private readonly columns = new Set<string>();

  add(statement: string): void {
    if (/^create table (?!if )/.test(statement)) this.tables.add(tableOf(statement));
    const [, table, column] = ADDED_COLUMN.exec(statement) ?? [];
    if (table && column) this.columns.add(`${unquoted(table)}.${unquoted(column)}`);
  }

  has(table: string): boolean {
    return this.tables.has(table);
  }

  /** Whether an `update` sets these columns and no other. */
  isFilledBy(statement: string): boolean {
    const assignments = /^update .*? set (.+?)(?: from .*| where .*)?$/.exec(statement)?.[1] ?? '';
    const names = assignments.split(',').map((one) => unquoted(one.split('=')[0] ?? '').trim());
    return names.every((name) => this.columns.has(`${tableOf(statement)}.${name}`));
  }
}

export function classify(statement: string, made: Made): Pick<Form, 'effect' | 'reason'> {
  if (made.has(tableOf(statement))) return { effect: 'expand', reason: 'the release before does not know the table' };
  if (made.isFilledBy(statement)) return { effect: 'expand', reason: 'the release before does not know the column' };
  return FORMS.find(({ pattern }) => pattern.test(statement)) ?? UNKNOWN;
}
