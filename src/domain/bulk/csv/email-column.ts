import { parseAddress } from '../../address/parse.ts';

/** The column a caller names: a header's text, a zero-based index, or none. */
export type ColumnHint = string | number | null;

type Row = readonly string[];

/** Enough rows to find the column, and a bound for files of thousands of columns. */
export const ROWS_JUDGED = 500;

/** Titles that say a column holds addresses and nothing else. */
const TITLE =
  /^(?:(?:primary |work |business |contact |customer |user )?(?:e[- _]?mails?|mail)(?:[- _]?(?:address(?:es)?|adresse|adres|id))?|correos?(?: electr[oó]nicos?)?|courriels?|adresse (?:e-?)?mail|indirizzo (?:e-?)?mail|posta elettronica|endere[cç]o de e-?mail|e-?post(?:a|adress(?:e)?)?|s[aä]hk[oö]posti(?:osoite)?|メール(?:アドレス)?|邮箱(?:地址)?|(?:电子)?邮件(?:地址)?|電子郵件(?:地址)?|電郵|이메일(?: 주소)?|(?:эл\.?|электронная) ?почта|почта|email адрес|البريد الإلكتروني|ईमेल|דוא"ל)$/iu;

/** Titles that mention addresses, also among other words (`email_opt_in`). */
export const MENTION = /e-?mail|correo|courriel|メール|邮箱|邮件|郵件|почт|이메일/iu;

export const isTitleOfAddresses = (cell: string): boolean => TITLE.test(cell);

/** Whether a cell mentions addresses, as titles do. */
export const mentionsAddresses = (cell: string): boolean => TITLE.test(cell) || MENTION.test(cell);

/** A cell that was meant to be an address, whether or not it became one. */
export const isMeantAsAddress = (cell: string): boolean => cell.includes('@') && !/\s/u.test(cell);

export const isAddress = (cell: string): boolean => isMeantAsAddress(cell) && parseAddress(cell).ok;

/**
 * The column with the addresses: the one the caller named, else the one found by its cells, then by its title. Null when no
 * column qualifies.
 * @param titles the header; null without one
 */
export function columnOf(titles: Row | null, rows: readonly Row[], wish: ColumnHint): number | null {
  if (typeof wish === 'string') {
    const index = titles?.findIndex((title) => sameTitle(title, wish)) ?? -1;
    return index < 0 ? null : index;
  }
  const width = Math.max(titles?.length ?? 0, ...rows.map(({ length }) => length));
  if (wish !== null) return wish < width ? wish : null;
  const scores = Array.from({ length: width }, (_, column) =>
    score(
      titles?.[column] ?? '',
      rows.map((row) => row[column] ?? '').filter((cell) => cell !== ''),
      rows.length,
      width,
    ),
  );
  const best = Math.max(...scores);
  return best > 0 ? scores.indexOf(best) : null;
}

const sameTitle = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** How likely a column holds the addresses; 0: it does not. */
function score(title: string, filled: readonly string[], rows: number, width: number): number {
  const named = TITLE.test(title) ? 2 : MENTION.test(title) ? 1 : 0;
  // An empty column: only its title counts.
  if (filled.length === 0) return named / 10;
  const meant = filled.filter(isMeantAsAddress);
  const share = meant.some(isAddress) ? meant.length / filled.length : 0;
  // Most addresses may be broken in a list to be cleaned, which has one column or a clear title.
  const needed = width === 1 || named === 2 ? Number.EPSILON : 0.5;
  if (share < needed) return named === 2 ? 0.1 : 0;
  // A clear title wins, then the column with more different addresses: the other one may name the sales staff.
  return 1 + named + share + new Set(meant).size / Math.max(1, rows);
}
