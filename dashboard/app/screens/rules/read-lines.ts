import type { RuleKind } from './queries.ts';

/** A pasted line or one of a file. */
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
  /** Lines that repeat an earlier one. */
  readonly duplicates: number;
}

/** Limit of the lists of one kind. */
export const LINES_MAX = 10_000;

const SEPARATORS = /[,;\t]/;

/** Text around a copied address or domain: `Ann <ann@x.example>`, `https://x.example/page`, `*.x.example`. */
function bare(cell: string): string {
  if (cell.includes('@')) return cell.replace(/^.*<([^<>]+)>$/, '$1').replace(/^mailto:/i, '');
  return cell.replace(/^https?:\/\/(?:www\.)?([^/?#]*).*$/i, '$1').replace(/^\*\./, '');
}

/** The cell with an address or domain; the whole line if there is one column. */
function cellOf(text: string): string {
  const cells = text.split(SEPARATORS).map((cell) => cell.trim().replaceAll(/^"|"$/g, '').trim());
  return cells.find((cell) => cell.includes('@')) ?? cells.find((cell) => cell.includes('.')) ?? '';
}

/** Lower-cases the domain only. */
const sameness = (text: string): string => text.replace(/[^@]*$/, (domain) => domain.toLowerCase());

function lineOf(line: number, cell: string): Line {
  if (cell.startsWith('@')) return { line, text: cell.slice(1), kind: 'domain' };
  return { line, text: cell, kind: cell.includes('@') ? 'address' : 'domain' };
}

/**
 * Reads one domain or address a line, also from the columns of a CSV. `@spam.example` names the domain. A first line with
 * neither is taken for the columns' names.
 */
export function readLines(text: string): ReadLines {
  const lines: Line[] = [];
  const refused: RefusedLine[] = [];
  const named = new Set<string>();
  let duplicates = 0;
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const line = index + 1;
    const whole = raw.trim();
    if (whole === '') continue;
    const cell = cellOf(whole);
    if (cell === '') {
      if (line > 1) refused.push({ line, text: whole, reason: 'not a domain or an address' });
      continue;
    }
    const read = lineOf(line, bare(cell));
    const name = sameness(read.text);
    if (named.has(name)) duplicates += 1;
    else lines.push(read);
    named.add(name);
  }
  return { lines, refused, duplicates };
}

const DOMAIN = /^(?:[\p{L}\p{M}\p{N}_](?:[\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}_])?\.)+[\p{L}\p{M}\p{N}-]{2,}\.?$/u;

/** A rough check; the service validates fully. */
export const isWellFormed = ({ text, kind }: Line): boolean =>
  kind === 'domain'
    ? DOMAIN.test(text)
    : /^(?:"[^"]+"|[^\s@]+)@[^\s@]+$/.test(text) && DOMAIN.test(text.slice(text.lastIndexOf('@') + 1));

const REASONS: Readonly<Record<string, string>> = {
  invalid_address: 'not an email address',
  invalid_domain: 'not a domain name',
  public_suffix: 'too broad, like .com',
};

export const reasonInWords = (reason: string): string => REASONS[reason] ?? reason.replaceAll('_', ' ');
