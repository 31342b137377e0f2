import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import spellChecker from '@zootools/email-spell-checker';
import mailcheck from 'mailcheck';
import { type BenchRow, microsecondsEach, spread, type Target, takeTurns } from '../../scripts/bench/measure.ts';
import { createLists } from '../../src/domain/lists/lists.ts';
import { isLegitimate } from '../../src/domain/lists/review-list.ts';
import { type ImitationEvidence, isImitation } from '../../src/domain/screening/typo/imitation.ts';
import { createDomainSuggester, type DomainEvidence } from '../../src/domain/screening/typo/suggest.ts';
import { type Case, readCases } from './cases.ts';
import { madeTypos, TWO_TYPOS } from './made-typos.ts';

/** Short rounds and many: one that nothing interrupts is among them. */
const [ROUNDS, PER_ROUND] = [45, 200];
/** A name with fewer letters is short. */
const SHORT = 5;
/** A sample of all names that a resolver was asked for, typos among them. */
const ASKED_OF_DNS = 'opendns-random10k-2014';
const DATA = join(import.meta.dirname, '../../src/domain/lists/data');

/** A suggested domain for an address, or null. */
type Suggest = (address: string) => string | null;

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

type Known = DomainEvidence['known'];

function contestants(
  known: Known,
  labels: Uint8Array,
): Record<'ours' | 'ours, mail hosts found' | 'mailcheck' | 'email-spell-checker', Suggest> {
  const suggest = createDomainSuggester(labels);
  const ours =
    (receivesMail: boolean | null): Suggest =>
    (address) =>
      suggest(domainOf(address), { known, receivesMail })?.domain ?? null;
  return {
    ours: ours(null),
    'ours, mail hosts found': ours(true),
    mailcheck: (email) => mailcheck.run({ email, suggested: ({ domain }) => domain, empty: () => null }),
    'email-spell-checker': (email) => spellChecker.run({ email })?.domain ?? null,
  };
}

/** A set: its cases, which of them count, and the judgement of a suggestion. */
interface CaseSet {
  readonly name: string;
  readonly cases: readonly Case[];
  readonly counts: (one: Case, suggested: string | null) => boolean;
  readonly target?: Target;
}

const isFound: CaseSet['counts'] = (one, domain) => domain === one.expected;
const isWrong: CaseSet['counts'] = (one, domain) => domain !== null && domain !== one.expected;

/** Typos made for the research. Short names stand apart: a typo leaves few letters of them. */
function madeSets(known: Known): CaseSet[] {
  const all = [...madeTypos(known)].flatMap(([kind, cases]) => cases.map((one) => ({ ...one, kind })));
  const isShort = ({ expected }: Case): boolean => String(expected).indexOf('.') < SHORT;
  const kinds = [
    ['one typo', ({ kind }: Case) => kind !== TWO_TYPOS],
    ['two typos', ({ kind }: Case) => kind === TWO_TYPOS],
  ] as const;
  return kinds.flatMap(([what, isOfKind]) => {
    const [short, long] = [true, false].map((wanted) => all.filter((one) => isOfKind(one) && isShort(one) === wanted));
    return [
      { name: `made, ${what}: found`, cases: long ?? [], counts: isFound },
      { name: `made, ${what}: given a wrong domain`, cases: long ?? [], counts: isWrong },
      { name: `made, ${what} in a short name: found`, cases: short ?? [], counts: isFound },
      { name: `made, ${what} in a short name: given a wrong domain`, cases: short ?? [], counts: isWrong },
    ];
  });
}

const percent = (count: number, of: number): number => (100 * count) / of;

/** Suggestions beside the two usual libraries', on rows that must get one and rows that must not. */
export async function run(folder: string): Promise<BenchRow[]> {
  const [domains, names, labels] = ['domains', 'names', 'labels'].map((file) =>
    readFileSync(join(DATA, `${file}.bin`)),
  );
  if (domains === undefined || names === undefined || labels === undefined) throw new Error('no packed lists');
  const lists = createLists({ domains, names });
  const known: Known = (domain) => isLegitimate(lists, domain);
  const read = (name: string): Case[] => readCases(folder, name).filter(({ contested }) => contested !== true);
  // Typos of the domain: rows about the local part alone (`john.@gmail.com`) ask for something else.
  const typos = [...read('typo-suggest'), ...read('typo-generated')].filter(({ kind }) => kind !== 'cleanup');
  const legitimate = read('legit-domains').map((one) => ({ ...one, input: `user@${one.input}`, expected: null }));
  const [asked, real] = [true, false].map((wanted) =>
    legitimate.filter(({ category }) => (category === ASKED_OF_DNS) === wanted),
  );
  const speaks: CaseSet['counts'] = (_, suggested) => suggested !== null;
  const sets: readonly CaseSet[] = [
    { name: 'typos found', cases: typos, counts: isFound, target: { atLeast: 95 } },
    { name: 'typos given a wrong domain', cases: typos, counts: isWrong, target: { atMost: 0.3 } },
    { name: 'suggestions where none is due', cases: read('typo-abstain'), counts: speaks, target: { atMost: 5 } },
    { name: 'suggestions, near a provider', cases: read('typo-hard-negatives'), counts: speaks, target: { atMost: 3 } },
    { name: 'suggestions, legitimate domains', cases: legitimate, counts: speaks, target: { atMost: 0.1 } },
    { name: 'suggestions, domains that a list says are real', cases: real ?? [], counts: speaks },
    { name: 'suggestions, names drawn from what DNS was asked', cases: asked ?? [], counts: speaks },
    ...madeSets(known),
  ];
  const all = contestants(known, labels);
  const rows = sets.map(({ name, cases, counts, target }): BenchRow => {
    const share = (suggest: Suggest): number =>
      percent(cases.filter((one) => one.input.includes('@') && counts(one, suggest(one.input))).length, cases.length);
    const { ours, ...others } = all;
    const beside = Object.entries(others).map(([who, suggest]) => `${who} ${share(suggest).toFixed(2)} %`);
    const reach = target === undefined ? {} : { target };
    return { name, value: share(ours), unit: '%', ...reach, note: `of ${cases.length}; ${beside.join(', ')}` };
  });
  return [
    ...rows,
    ...lookAlikes(read, { known, imitated: (domain) => lists.isImitated(domain) }),
    ...(await speeds(all, { typos, legitimate })),
  ];
}

/** Domains that look like a known one, recognised by the code, and domains that do not. */
function lookAlikes(read: (name: string) => Case[], evidence: ImitationEvidence): BenchRow[] {
  const cases = read('homoglyph-domains') as readonly (Case & {
    readonly expected: { readonly suspicious: boolean };
  })[];
  const row = (name: string, inputs: readonly string[], target: Target): BenchRow => {
    const told = inputs.filter((input) => isImitation(domainOf(input), evidence)).length;
    return { name, value: percent(told, inputs.length), unit: '%', target, note: `${told} of ${inputs.length}` };
  };
  const those = (suspicious: boolean): string[] =>
    cases.filter(({ expected }) => expected.suspicious === suspicious).map(({ input }) => input);
  const legitimate = ['legit-domains', 'typo-abstain', 'typo-hard-negatives'].flatMap((name) => read(name));
  return [
    row('look-alikes: told', those(true), { atLeast: 90 }),
    row('other domains: told as look-alikes', those(false), { atMost: 0 }),
    row(
      'look-alikes: legitimate domains mistaken',
      legitimate.map(({ input }) => input),
      { atMost: 0.01 },
    ),
  ];
}

async function speeds(all: Record<string, Suggest>, kinds: Record<string, readonly Case[]>): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [kind, cases] of Object.entries(kinds)) {
    const inputs = cases.filter((_, i) => i % Math.ceil(cases.length / PER_ROUND) === 0).map(({ input }) => input);
    const { ours = [], ...others } = await takeTurns(
      Object.fromEntries(Object.entries(all).map(([who, suggest]) => [who, microsecondsEach(inputs, suggest)])),
      ROUNDS,
    );
    const beside = Object.entries(others).map(([who, times]) => `${who} ${spread(times).range[0].toFixed(1)} µs`);
    const { range } = spread(ours);
    // The minimum of the rounds: other load on the machine only adds time.
    const measured = { value: range[0], range, unit: 'µs', target: { atMost: 50 } };
    rows.push({ name: `a suggestion, ${kind}`, ...measured, note: beside.join(', ') });
  }
  return rows;
}
