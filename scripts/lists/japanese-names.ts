/**
 * Builds the readings of Japanese names out of the names of IPADIC: `node scripts/lists/japanese-names.ts` writes
 * `src/domain/screening/names/data/`; with `--check` it writes nothing and fails when the files there differ. What a character
 * is read as in names is found by dividing the readings of whole names among their characters, time and again (EM), so that
 * names which no dictionary holds can be read as well.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JAPANESE_NAMES_FORM, openJapaneseNames, openRomaniser } from '../../src/domain/screening/names/tables.ts';
import { kanaLetters } from '../../src/domain/screening/names/spellings.ts';
import { commandLine } from '../command-line.ts';
import { type Package, readIpadic } from './sources.ts';

const DATA = join(import.meta.dirname, '../../src/domain/screening/names/data');
const MAX_KANA = 5;
const ROUNDS = 6;
/** A reading that fewer names have is one name's own. */
const MIN_NAMES = 1.8;
const MIN_SHARE = 0.12;
const MAX_READINGS = 8;
/** No reading begins with these: they belong to the kana before them. */
const BEHIND = /^[ァィゥェォッャュョー]/;

interface JapaneseName {
  readonly written: string;
  readonly kana: string;
  readonly family: boolean;
  /** Every way to divide the kana among the characters. */
  readonly divisions: readonly (readonly string[])[];
}

function divide(characters: number, kana: string): string[][] {
  if (characters === 1) return kana.length <= MAX_KANA && !BEHIND.test(kana) ? [[kana]] : [];
  const found: string[][] = [];
  for (let length = 1; length <= Math.min(MAX_KANA, kana.length - characters + 1); length += 1) {
    const head = kana.slice(0, length);
    if (BEHIND.test(head)) continue;
    for (const rest of divide(characters - 1, kana.slice(length))) found.push([head, ...rest]);
  }
  return found;
}

/** A row of IPADIC: the written form first, its kind in four columns from the fifth, the reading in katakana in the twelfth. */
function namesOf(from: Package): JapaneseName[] {
  return from
    .text('lib/dict/Noun.name.csv')
    .split('\n')
    .map((row) => row.split(','))
    .filter(
      ([written = '', , , , , , person, , , , , kana = '']) => person === '人名' && isKanji(written) && isKana(kana),
    )
    .map(([written = '', , , , , , , kind, , , , kana = '']) => ({
      written,
      kana,
      family: kind === '姓',
      divisions: divide(Array.from(written).length, kana),
    }));
}

const isKanji = (written: string): boolean => /^[\p{Script=Han}々]{1,4}$/u.test(written);
const isKana = (kana: string): boolean => /^[ァ-ヴー]+$/u.test(kana);

type Shares = Map<string, Map<string, number>>;

function add(shares: Shares, character: string, reading: string, share: number): void {
  const readings = shares.get(character) ?? new Map<string, number>();
  shares.set(character, readings.set(reading, (readings.get(reading) ?? 0) + share));
}

/** How many names have each reading of each character. */
function countReadings(names: readonly JapaneseName[]): Shares {
  let counts: Shares = new Map();
  for (let round = 0; round < ROUNDS; round += 1) {
    const totals = new Map([...counts].map(([character, found]) => [character, sum([...found.values()])]));
    const likelihood = (character: string, reading: string): number =>
      round === 0 ? 1 : (counts.get(character)?.get(reading) ?? 0) / (totals.get(character) ?? 1);
    const next: Shares = new Map();
    for (const { written, divisions } of names) {
      const characters = Array.from(written);
      const weights = divisions.map((parts) =>
        parts.reduce((product, part, i) => product * likelihood(characters[i] ?? '', part), 1),
      );
      const total = sum(weights);
      divisions.forEach((parts, at) => {
        const share = total === 0 ? 0 : (weights[at] ?? 0) / total;
        parts.forEach((part, i) => {
          add(next, characters[i] ?? '', part, share);
        });
      });
    }
    counts = next;
  }
  return counts;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function table(names: readonly JapaneseName[], letters: (kana: string) => string): string {
  const kept = new Map<string, readonly string[]>();
  for (const [character, found] of countReadings(names)) {
    const total = sum([...found.values()]);
    const readings = [...found]
      .filter(([, count]) => count >= MIN_NAMES || (count >= 0.9 && count / total >= MIN_SHARE))
      .sort(([, a], [, b]) => b - a)
      .slice(0, MAX_READINGS)
      .map(([reading]) => reading);
    if (readings.length > 0) kept.set(character, readings);
  }
  const rows = new Map([...kept].map(([character, readings]) => [character, new Set(readings.map(letters))]));
  const text = (families: string): string => {
    const lines = [...rows].map(([written, readings]) => `${written}=${[...readings].join(' ')}`);
    return [JAPANESE_NAMES_FORM, families, ...lines.sort()].join('\n');
  };
  // As the product reads them: it stops at a number of readings.
  const { readings } = openJapaneseNames(Buffer.from(text('')));
  for (const { written, kana } of names) {
    const known = letters(kana);
    if (!readings(written).includes(known)) rows.set(written, (rows.get(written) ?? new Set()).add(known));
  }
  const families = new Set(
    names.filter(({ written, family }) => family && Array.from(written).length > 1).map(({ written }) => written),
  );
  return text([...families].sort().join(' '));
}

function build(check: boolean): void {
  const roman = openRomaniser(readFileSync(join(DATA, 'romanisation.bin')));
  const text = table(namesOf(readIpadic()), (kana) => kanaLetters(roman, kana));
  const at = join(DATA, 'japanese-names.bin');
  if (!check) writeFileSync(at, text);
  else if (readFileSync(at, 'utf8') !== text)
    throw new Error('japanese-names.bin is out of date: run scripts/lists/japanese-names.ts');
}

const { check } = commandLine('japanese-names', 'Packs the readings of Japanese names.')
  .option('--check', 'write nothing; fail where the committed files are others', false)
  .parse()
  .opts<{ check: boolean }>();
build(check);
