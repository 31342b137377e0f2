import { microsecondsEach, spread, takeTurns } from '../../scripts/bench/rounds.ts';
import type { BenchRow } from '../../scripts/bench/row.ts';
import { matchName } from '../../scripts/lists/shipped.ts';
import type { NameMatch } from '../../src/domain/screening/names/match-name.ts';
import { type Case, readCases } from './cases.ts';

interface NamedCase {
  readonly name: string;
  readonly local: string;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The rows that say whose address it is. */
function namedCases(cases: readonly Case[]): NamedCase[] {
  return cases.flatMap(({ input, expected }) => {
    const { first, last } = expected as { first?: string; last?: string };
    if (first === undefined || last === undefined) return [];
    return [{ name: `${capital(first)} ${capital(last)}`, local: input.slice(0, input.lastIndexOf('@')) }];
  });
}

/** Each name with the addresses of people some way down the list who share neither name with it. */
function shuffled(cases: readonly NamedCase[]): NamedCase[] {
  const words = (name: string): string[] => name.toLowerCase().split(' ');
  return cases.flatMap(({ local }, i) =>
    [7, 31, 53, 101].flatMap((step) => {
      const other = cases[(i + step) % cases.length];
      const own = words(cases[i]?.name ?? '');
      return other === undefined || words(other.name).some((word) => own.includes(word))
        ? []
        : [{ name: other.name, local }];
    }),
  );
}

function share(
  name: string,
  cases: readonly NamedCase[],
  wanted: readonly NameMatch[],
  target: BenchRow['target'],
): BenchRow {
  const found = cases.filter((one) => wanted.includes(matchName(one.name, one.local).match)).length;
  return {
    name,
    value: (100 * found) / cases.length,
    unit: '%',
    ...(target === undefined ? {} : { target }),
    note: `${found} of ${cases.length}`,
  };
}

/** Names of eight writings against an address that fits none: the longest way through. */
const STRANGERS: readonly NamedCase[] = [
  'John Smith',
  'Elizabeth Katherine Johnson',
  'Jean-Pierre Dupont-Moretti',
  'Юлия Шевченко',
  'Γιώργος Παπαδόπουλος',
  'محمد الشريف',
  '王小明',
  '김민수',
].map((name) => ({ name, local: 'completely.different85' }));

/**
 * Names that fit an address, in halves (the even rows were looked at while the rules were made), and the same names dealt
 * out among the addresses of others, on `name-matching.json`: rows whose `expected` has `first` and `last`.
 */
export async function run(folder: string): Promise<BenchRow[]> {
  const cases = namedCases(readCases(folder, 'name-matching'));
  const rows = [0, 1].flatMap((half) => {
    const fitting = cases.filter((_, i) => i % 2 === half);
    const label = half === 0 ? 'even rows' : 'odd rows';
    return [
      share(`match or partial, ${label}`, fitting, ['match', 'partial'], { atLeast: 95 }),
      share(`match of another's name, ${label}`, shuffled(fitting), ['match'], { atMost: 0.5 }),
      share(`mismatch of another's name, ${label}`, shuffled(fitting), ['mismatch'], { atLeast: 95 }),
    ];
  });
  const many = Array.from({ length: 4_000 }, (_, i) => STRANGERS[i % STRANGERS.length] ?? { name: '', local: '' });
  const { ours } = await takeTurns({ ours: microsecondsEach(many, ({ name, local }) => matchName(name, local)) });
  const { median: value, range } = spread(ours);
  return [...rows, { name: 'a name that does not fit', value, range, unit: 'µs' }];
}
