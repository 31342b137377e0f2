/**
 * Builds the romanisation table of the name match out of any-ascii: `node scripts/lists/romanisation.ts` writes
 * `src/domain/screening/names/data/`; with `--check` it writes nothing and fails when the files there differ. Packed, as the
 * library itself is 218 KB gzip: it knows emoji and dead scripts too, and names need neither.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import anyAscii from 'any-ascii';
import { ROMANISATION_FORM } from '../../src/domain/screening/names/tables.ts';
import { commandLine } from '../command-line.ts';

const DATA = join(import.meta.dirname, '../../src/domain/screening/names/data');
const BLOCK = 256;
/** The scripts that people's names are written in: Latin beyond ASCII to Ethiopic, Khmer, Latin and Greek extended, kana. */
const LETTER_BLOCKS = [...Array.from({ length: 0x14 }, (_, i) => i), 0x17, 0x1e, 0x1f, 0x30];
const HAN = { from: 0x4e00, to: 0x9fff };
const HANGUL = { from: 0xac00, leads: 19, vowels: 21, tails: 28 };
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const roman = (code: number): string =>
  anyAscii(String.fromCharCode(code))
    .toLowerCase()
    .replace(/[^a-z]/g, '');
const isLetter = (code: number): boolean => /[\p{L}\p{M}]/u.test(String.fromCharCode(code));

function letterBlock(block: number): string {
  const cells = Array.from({ length: BLOCK }, (_, i) => {
    const code = block * BLOCK + i;
    return code > 0x7f && isLetter(code) ? roman(code) : '';
  });
  return cells.join(' ').trimEnd();
}

/** Ideographs as two-letter numbers into the list of syllables; `AA` is the empty one. */
function hanTable(): { syllables: string; han: string } {
  const readings = Array.from({ length: HAN.to - HAN.from + 1 }, (_, i) => roman(HAN.from + i));
  const syllables = ['', ...[...new Set(readings)].filter((reading) => reading !== '').sort()];
  if (syllables.length > DIGITS.length ** 2) throw new Error('more syllables than two letters can number');
  const number = new Map(
    syllables.map((syllable, i) => [
      syllable,
      DIGITS.charAt(Math.floor(i / DIGITS.length)) + DIGITS.charAt(i % DIGITS.length),
    ]),
  );
  return { syllables: syllables.join(' '), han: readings.map((reading) => number.get(reading)).join('') };
}

/** A Hangul syllable is lead, vowel and tail by its number; the sounds are read off the syllables that show one each. */
function hangulTable(): Record<'leads' | 'vowels' | 'tails', string> {
  const { from, leads, vowels, tails } = HANGUL;
  const silentLead = 11;
  const perLead = vowels * tails;
  const list = (length: number, sound: (i: number) => string): string =>
    Array.from({ length }, (_, i) => sound(i)).join(' ');
  return {
    leads: list(leads, (i) => roman(from + i * perLead).slice(0, -1)),
    vowels: list(vowels, (i) => roman(from + silentLead * perLead + i * tails)),
    tails: list(tails, (i) => roman(from + silentLead * perLead + i).slice(1)),
  };
}

function build(check: boolean): void {
  const { syllables, han } = hanTable();
  const { leads, vowels, tails } = hangulTable();
  const blocks = LETTER_BLOCKS.map((block) => [block.toString(16), letterBlock(block)] as const)
    .filter(([, cells]) => cells !== '')
    .map((row) => row.join('='));
  const table = [ROMANISATION_FORM, syllables, leads, vowels, tails, han, ...blocks].join('\n');
  const at = join(DATA, 'romanisation.bin');
  if (!check) writeFileSync(at, table);
  else if (readFileSync(at, 'utf8') !== table)
    throw new Error('romanisation.bin is out of date: run scripts/lists/romanisation.ts');
}

const { check } = commandLine('romanisation', 'Packs the romanisation table.')
  .option('--check', 'write nothing; fail where the committed files are others', false)
  .parse()
  .opts<{ check: boolean }>();
build(check);
