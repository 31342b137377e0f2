import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchRow, microsecondsEach, spread, takeTurns } from '../../scripts/bench/measure.ts';
import { createLists } from '../../src/domain/lists/lists.ts';
import { isPlaceholder } from '../../src/domain/screening/placeholder/placeholder.ts';
import { splitTyped } from '../../src/domain/screening/typed-address.ts';
import { type Case, readCases } from './cases.ts';

const DATA = join(import.meta.dirname, '../../src/domain/lists/data');
/**
 * For local parts that come without a domain: a company's that is on no list, and a consumer provider's that gives out names
 * of any length (Gmail gives out none of two letters, and the cases have some).
 */
const DOMAINS = { company: 'keller-maschinenbau.de', provider: 'gmx.net' } as const;

const localOf = ({ input }: Case): string => input.split('@', 1)[0] ?? '';
const expects =
  (answer: string) =>
  ({ expected }: Case): boolean =>
    expected === answer;

/** The rows of one file that count. Every other row is held out: no table was built from it. */
const halvesOf = (file: readonly Case[], counts: (one: Case) => boolean): Case[][] =>
  [0, 1].map((half) => file.filter((one, i) => i % 2 === half && counts(one)));

function counted(
  name: string,
  halves: readonly (readonly Case[])[],
  holds: (one: Case) => boolean,
  target?: BenchRow['target'],
): BenchRow {
  const told = halves.map((half) => half.filter(holds).length);
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  const of = halves.map((half) => half.length);
  return {
    name,
    value: (100 * sum(told)) / sum(of),
    unit: '%',
    ...(target === undefined ? {} : { target }),
    note: `${sum(told)} of ${sum(of)}; held out: ${told[1]} of ${of[1]}`,
  };
}

/**
 * Placeholders found and real local parts mistaken, on the cases of a folder: `placeholder-addresses.json` (`placeholder`,
 * `not_placeholder`), `gibberish-local.json` (`gibberish`, `not_gibberish`), `name-matching.json` and
 * `role-accounts-negative.json` (`not_role`: people), each an array of `{ input, expected }`. Other answers are left out.
 */
export async function run(casesFolder: string): Promise<BenchRow[]> {
  const data = (file: string): Uint8Array => readFileSync(join(DATA, file));
  const lists = createLists({ domains: data('domains.bin'), names: data('names.bin') });
  const cases = (name: string): Case[] => readCases(casesFolder, name);
  const isOne = (text: string): boolean => isPlaceholder(splitTyped(text), lists, false);

  const addresses = cases('placeholder-addresses');
  const locals = cases('gibberish-local');
  const files = [
    halvesOf(locals, expects('not_gibberish')),
    halvesOf(cases('name-matching'), () => true),
    halvesOf(cases('role-accounts-negative'), expects('not_role')),
  ];
  const people = [0, 1].map((half) => files.flatMap((halves) => halves[half] ?? []));
  const texts = [
    ...addresses.map(({ input }) => input),
    ...people.flat().map((one) => `${localOf(one)}@${DOMAINS.company}`),
  ];
  const { judge } = await takeTurns({ judge: microsecondsEach(texts, isOne) });
  const { median, range } = spread(judge);
  return [
    counted('placeholders: told', halvesOf(addresses, expects('placeholder')), ({ input }) => isOne(input), {
      atLeast: 90,
    }),
    counted('what resembles them: mistaken', halvesOf(addresses, expects('not_placeholder')), ({ input }) =>
      isOne(input),
    ),
    ...Object.entries(DOMAINS).map(([kind, domain]) =>
      counted(`chance letters at a ${kind}: told`, halvesOf(locals, expects('gibberish')), (one) =>
        isOne(`${localOf(one)}@${domain}`),
      ),
    ),
    ...Object.entries(DOMAINS).map(([kind, domain]) =>
      counted(`people at a ${kind}: mistaken`, people, (one) => isOne(`${localOf(one)}@${domain}`), { atMost: 0.5 }),
    ),
    { name: 'placeholder: an address', value: median, unit: 'us', range },
  ];
}
