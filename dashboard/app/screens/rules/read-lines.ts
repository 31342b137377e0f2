import type { RuleKind } from './types.ts';

/** A line of what was pasted or of a file. */
export interface Line {
  /** From 1, as an editor counts. */
  readonly line: number;
  readonly text: string;
  readonly kind: RuleKind;
}

export interface RefusedLine {
  readonly line: number;
  readonly text: string;
  readonly reason: string;
}

export interface ReadLines {
  readonly lines: readonly Line[];
  readonly refused: readonly RefusedLine[];
}

/** As many as the lists of one kind hold. */
export const LINES_MAX = 10_000;

const SEPARATORS = /[,;\t]/;

/** The cell with an address or a domain; of a file with one column, all of the line. */
function cellOf(text: string): string {
  const cells = text.split(SEPARATORS).map((cell) => cell.trim().replaceAll(/^"|"$/g, '').trim());
  return cells.find((cell) => cell.includes('@')) ?? cells.find((cell) => cell.includes('.')) ?? '';
}

/**
 * Reads one domain or address a line, also from the columns of a CSV. `@spam.example` names the domain. A first line with
 * neither is taken for the columns' names.
 */
export function readLines(text: string): ReadLines {
  const lines: Line[] = [];
  const refused: RefusedLine[] = [];
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const line = index + 1;
    const whole = raw.trim();
    if (whole === '') continue;
    const cell = cellOf(whole);
    if (cell === '') {
      if (line > 1) refused.push({ line, text: whole, reason: 'neither a domain nor an address' });
    } else if (cell.startsWith('@')) lines.push({ line, text: cell.slice(1), kind: 'domain' });
    else lines.push({ line, text: cell, kind: cell.includes('@') ? 'address' : 'domain' });
  }
  return { lines, refused };
}

const REASONS: Readonly<Record<string, string>> = {
  invalid_address: 'not an email address',
  invalid_domain: 'not a domain name',
  public_suffix: 'a whole ending such as .com, which too many share',
};

export const reasonInWords = (reason: string): string => REASONS[reason] ?? reason.replaceAll('_', ' ');
