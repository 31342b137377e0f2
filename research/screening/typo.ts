import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import spellChecker from '@zootools/email-spell-checker';
import mailcheck from 'mailcheck';
import { microsecondsEach, spread, takeTurns } from '../../scripts/bench/rounds.ts';
import type { BenchRow, Target } from '../../scripts/bench/row.ts';
import { createLists } from '../../src/domain/lists/lists.ts';
import { createDomainSuggester, type DomainEvidence } from '../../src/domain/screening/typo/suggest.ts';
import { type Case, readCases } from './cases.ts';

/** Short rounds and many: one that nothing interrupts is among them. */
const [ROUNDS, PER_ROUND] = [45, 200];
const DATA = join(import.meta.dirname, '../../src/domain/lists/data');

/** A suggested domain for an address, or null. */
type Suggest = (address: string) => string | null;

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

function contestants(): Record<'ours' | 'ours, mail hosts found' | 'mailcheck' | 'email-spell-checker', Suggest> {
  const [domains, names, labels] = ['domains', 'names', 'labels'].map((file) =>
    readFileSync(join(DATA, `${file}.bin`)),
  );
  if (domains === undefined || names === undefined || labels === undefined) throw new Error('no packed lists');
  const lists = createLists({ domains, names });
  const suggest = createDomainSuggester(labels);
  const known: DomainEvidence['known'] = (domain) =>
    lists.isKnown(domain) || lists.isFreeProvider(domain) || lists.isRelay(domain) || lists.isAgent(domain);
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

/** What is asked of a set: the cases, those of them that count, and what a suggestion makes of one. */
interface CaseSet {
  readonly name: string;
  readonly cases: readonly Case[];
  readonly counts: (one: Case, suggested: string | null) => boolean;
  readonly target: Target;
}

const percent = (count: number, of: number): number => (100 * count) / of;

/** Suggestions beside the two usual libraries', on rows that must get one and rows that must not. */
export async function run(folder: string): Promise<BenchRow[]> {
  const read = (name: string): Case[] => readCases(folder, name).filter(({ contested }) => contested !== true);
  // Slips of the domain: rows about the local part alone (`john.@gmail.com`) ask for something else.
  const slips = [...read('typo-suggest'), ...read('typo-generated')].filter(({ kind }) => kind !== 'cleanup');
  const legitimate = read('legit-domains').map(({ input }) => ({ input: `user@${input}`, expected: null }));
  const speaks: CaseSet['counts'] = (_, suggested) => suggested !== null;
  const sets: readonly CaseSet[] = [
    { name: 'slips found', cases: slips, counts: (one, domain) => domain === one.expected, target: { atLeast: 90 } },
    {
      name: 'slips given a wrong domain',
      cases: slips,
      counts: (one, domain) => domain !== null && domain !== one.expected,
      target: { atMost: 1 },
    },
    { name: 'suggestions where none is due', cases: read('typo-abstain'), counts: speaks, target: { atMost: 5 } },
    { name: 'suggestions, near a provider', cases: read('typo-hard-negatives'), counts: speaks, target: { atMost: 5 } },
    { name: 'suggestions, legitimate domains', cases: legitimate, counts: speaks, target: { atMost: 0.1 } },
  ];
  const all = contestants();
  const rows = sets.map(({ name, cases, counts, target }): BenchRow => {
    const share = (suggest: Suggest): number =>
      percent(cases.filter((one) => one.input.includes('@') && counts(one, suggest(one.input))).length, cases.length);
    const { ours, ...others } = all;
    const beside = Object.entries(others).map(([who, suggest]) => `${who} ${share(suggest).toFixed(2)} %`);
    return { name, value: share(ours), unit: '%', target, note: `of ${cases.length}; ${beside.join(', ')}` };
  });
  return [...rows, ...(await speeds(all, { slips, legitimate }))];
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
    // The least of the rounds: whatever else the machine does only adds to it.
    const measured = { value: range[0], range, unit: 'µs', target: { atMost: 50 } };
    rows.push({ name: `a suggestion, ${kind}`, ...measured, note: beside.join(', ') });
  }
  return rows;
}
