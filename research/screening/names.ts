import { type BenchRow, microsecondsEach, spread, takeTurns } from '../../scripts/bench/measure.ts';
import { collectKnownNames, packKnownNames } from '../../scripts/lists/collect-known-names.ts';
import { matchName, PACKED_NAME_TABLES } from '../../scripts/lists/shipped.ts';
import { readSources } from '../../scripts/lists/sources.ts';
import { openKnownNames } from '../../src/domain/screening/names/tables.ts';
import { createNameMatcher, type NameMatch, type NameMatcher } from '../../src/domain/screening/names/match-name.ts';
import { type Case, readCases } from './cases.ts';
import { type GeneratedPair, generatedPairs, isOneApart, neighbouringPairs, plantedTypos } from './generated-names.ts';
import { ROMANISED } from './romanised-names.ts';

/** Typos put right by the release before corrections became more careful, in the same rows of `plantedTypos`. */
const PUT_RIGHT_BEFORE = 22_816;

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
function shuffled(cases: readonly NamedCase[], steps: readonly number[] = [7, 31, 53, 101]): NamedCase[] {
  const words = (name: string): string[] => name.toLowerCase().split(/[ ,-]+/);
  return cases.flatMap(({ local }, i) =>
    steps.flatMap((step) => {
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
  matcher: NameMatcher = matchName,
): BenchRow {
  const found = cases.filter((one) => wanted.includes(matcher(one.name, one.local).match)).length;
  return {
    name,
    value: (100 * found) / cases.length,
    unit: '%',
    ...(target === undefined ? {} : { target }),
    note: `${found} of ${cases.length}`,
  };
}

/** One row for all pairs that have something in common. */
function sharesBy(title: string, pairs: readonly GeneratedPair[], key: 'locale' | 'pattern'): BenchRow[] {
  const groups = Map.groupBy(pairs, (pair) => pair[key]);
  return [...groups].map(([group, members]) => share(`${title}, ${group}`, members, ['typo'], undefined));
}

/** One in this many names of the other list is tested. */
const EVERY = 8;

/** Patterns whose addresses are dealt out among other names of the library. */
const DEALT = ['plain: first', 'plain: last', 'plain: first.last', 'plain: flast'];

/** Names of a fake-data library: no correction is due in the usual addresses, one is where a key was missed. No peer does this. */
function generatedRows(): BenchRow[] {
  const pairs = generatedPairs();
  const typos = plantedTypos();
  const corrected = typos.map(({ name, local, meant }) => ({ meant, said: matchName(name, local).correctedLocalPart }));
  const right = corrected.filter(({ meant, said }) => said === meant).length;
  const wrong = corrected.filter(({ meant, said }) => said !== null && said !== meant).length;
  const dealt = shuffled(
    pairs.filter(({ pattern }) => DEALT.includes(pattern)),
    [17, 101, 1_003],
  );
  return [
    share('generated: typo of a right address', pairs, ['typo'], { atMost: 0.05 }),
    share('generated: mismatch of a right address', pairs, ['mismatch'], { atMost: 1 }),
    ...sharesBy('generated: typo of another', neighbouringPairs(), 'pattern'),
    share('generated: match of another’s name', dealt, ['match'], { atMost: 1 }),
    share('generated: typo of another’s name', dealt, ['typo'], undefined),
    {
      name: 'generated: typos put right',
      value: right,
      unit: 'typos',
      target: { atLeast: PUT_RIGHT_BEFORE },
      note: `${right} of ${typos.length}; before ${PUT_RIGHT_BEFORE}`,
    },
    { name: 'generated: typos put wrong', value: wrong, unit: 'typos', note: `${wrong} of ${typos.length}` },
    ...sharesBy('typo of a right address', pairs, 'pattern'),
    ...sharesBy('typo of a right address', pairs, 'locale'),
  ];
}

const THIRDS = [0, 1, 2];

/**
 * The table of known names comes from the library that the pairs are generated from. So each third of its names is withheld from the
 * table in turn, and asked about; and the first names of a list are asked about that the table is not made of.
 */
function unknownNameRows(cases: readonly NamedCase[]): BenchRow[] {
  const all = [...collectKnownNames()];
  const heldOut = THIRDS.map((third) => {
    const withheld = new Set(all.filter((_, i) => i % THIRDS.length === third));
    const knownNames = packKnownNames(all.filter((name) => !withheld.has(name)));
    const matcher = createNameMatcher({ ...PACKED_NAME_TABLES, knownNames });
    const pairs = neighbouringPairs((ascii) => withheld.has(ascii));
    return { pairs, matcher, right: generatedPairs().filter((_, i) => i % THIRDS.length === third) };
  });
  const { femaleNames, maleNames } = readSources();
  const listed = [...new Set([...femaleNames.names, ...maleNames.names].map((name) => name.toLowerCase()))].filter(
    (name) => /^[a-z]{2,}$/.test(name),
  );
  const isKnown = openKnownNames(PACKED_NAME_TABLES.knownNames);
  const families = cases.map(({ name }) => name.split(' ').at(-1) ?? '');
  const near = listed.flatMap((one, i) =>
    i % EVERY === 0 ? listed.filter((other) => isOneApart(one, other)).map((other) => [one, other] as const) : [],
  );
  const listedPairs = near.map(([one, other], i) => {
    const family = families[i % families.length] ?? '';
    return { name: `${one} ${family}`, local: `${other}.${family.toLowerCase()}` };
  });
  const meanOf = (rows: readonly BenchRow[], name: string): BenchRow => ({
    name,
    value: rows.reduce((sum, { value }) => sum + value, 0) / rows.length,
    unit: '%',
    note: rows.map(({ note }) => note).join('; '),
  });
  return [
    ...['given', 'family'].map((kind) =>
      meanOf(
        heldOut.map(({ pairs, matcher }) =>
          share(
            kind,
            pairs.filter(({ pattern }) => pattern.startsWith(kind)),
            ['typo'],
            undefined,
            matcher,
          ),
        ),
        `withheld: typo of another, ${kind} name one letter away`,
      ),
    ),
    meanOf(
      heldOut.map(({ right, matcher }) => share('right', right, ['typo'], undefined, matcher)),
      'withheld: typo of a right address',
    ),
    share('other list: typo of another, given name one letter away', listedPairs, ['typo'], undefined),
    {
      name: 'other list: first names that the table has',
      value: (100 * listed.filter(isKnown).length) / listed.length,
      unit: '%',
      note: `of ${listed.length}`,
    },
  ];
}

/** Public figures in their own writings, in halves; `romanised-names.ts` says which rows were looked at when. */
function romanisedRows(): BenchRow[] {
  const cases = ROMANISED.flatMap(({ rows }) =>
    rows.split('|').map((row, i) => {
      const [name = '', locals = ''] = row.split('=');
      return { half: i % 2, named: locals.split(' ').map((local) => ({ name, local })) };
    }),
  );
  return [0, 1].flatMap((half) => {
    const fitting = cases.filter((one) => one.half === half).flatMap(({ named }) => named);
    const label = half === 0 ? 'even rows' : 'odd rows';
    return [
      share(`romanised: match, ${label}`, fitting, ['match'], undefined),
      share(`romanised: mismatch, ${label}`, fitting, ['mismatch'], { atMost: 1 }),
      share(`romanised: typo, ${label}`, fitting, ['typo'], { atMost: 0.3 }),
      share(`romanised: match of another’s name, ${label}`, shuffled(fitting), ['match'], { atMost: 1 }),
    ];
  });
}

/** Names in eight scripts against an address that fits none: the longest path. */
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
 * out among the addresses of others, on `name-matching.json`: rows whose `expected` has `first` and `last`. Then names in
 * other writings, and those of a fake-data library.
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
  return [
    ...rows,
    ...romanisedRows(),
    ...generatedRows(),
    ...unknownNameRows(cases),
    { name: 'a name that does not fit', value, range, unit: 'µs' },
  ];
}
