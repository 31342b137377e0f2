import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchRow, printRows } from '../../scripts/bench/measure.ts';
import { commandLine } from '../../scripts/command-line.ts';
import { readInstalledSources } from '../../scripts/lists/sources.ts';
import { DEFAULT_SOURCES, copiesAmong, readSource } from '../../src/domain/lists/source-text.ts';
import { type BundledLists, type Lists, createLists } from '../../src/domain/lists/lists.ts';
import { OverlayDraft, overlaid } from '../../src/domain/lists/overlay.ts';
import { isLegitimate, reviewList } from '../../src/domain/lists/review-list.ts';
import { openTable } from '../../src/domain/lists/table.ts';
import { createDomainSuggester, createProviderTypoTest } from '../../src/domain/screening/typo/suggest.ts';
import { readCases } from '../screening/cases.ts';

const DATA = join(import.meta.dirname, '../../src/domain/lists/data');

type Says = (domain: string) => boolean;

/** Whether the list holds the domain or a parent of it. */
const holds =
  (names: readonly string[]): Says =>
  (domain) => {
    for (let name = domain; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
      if (listed(names).has(name)) return true;
    }
    return false;
  };
const sets = new WeakMap<readonly string[], ReadonlySet<string>>();
function listed(names: readonly string[]): ReadonlySet<string> {
  const known = sets.get(names) ?? new Set(names);
  sets.set(names, known);
  return known;
}

function shipped() {
  const data = (file: string): Uint8Array => readFileSync(join(DATA, file));
  const lists = createLists({ domains: data('domains.bin'), names: data('names.bin') });
  const suggest = createDomainSuggester(data('labels.bin'));
  return { lists, isTypo: createProviderTypoTest(suggest, (domain) => isLegitimate(lists, domain)) };
}

/** Lists without disposable domains, to measure the sources alone. */
const withoutDisposables = (lists: BundledLists): BundledLists => ({
  ...lists,
  disposables: 0,
  disposableTier: () => null,
});

/** The lists after a night in which the default sources said what their packages hold. */
function afterNight(bundled: BundledLists, isTypo: Says, sources: readonly (readonly string[])[]): Lists {
  const draft = new OverlayDraft(bundled);
  for (const [place, names] of sources.entries()) {
    const said = readSource(names.join('\n'));
    const review = said === null ? null : reviewList(said, null, bundled);
    if (review?.ok !== true) throw new Error(`source ${place} is refused: ${review?.fault}`);
    draft.enter(place, review.domains);
  }
  const urls = DEFAULT_SOURCES.slice(0, sources.length).map(({ url }) => url);
  const { table } = draft.finish([...copiesAmong(urls), ...draft.copies()]);
  const opened = openTable(table);
  return overlaid(bundled, () => opened, isTypo);
}

/** The rows for each contestant: those it must catch, and those it must let through. */
const CAUGHT = [
  'disposable-fakefilter',
  'disposable-fresh-2026-07-08',
  'disposable-fresh-2026-09',
  'disposable-subdomains',
];
const SPARED = [
  { file: 'legit-domains', expected: 'not_disposable' },
  { file: 'disposable-removed-false-positives', expected: 'not_disposable' },
  { file: 'relay-aliases', expected: 'relay' },
  { file: 'free-providers', expected: 'free' },
  { file: 'free-providers-negative', expected: 'not_free' },
];

function figures(folder: string): Record<string, BenchRow[]> {
  const { curated, crawled, community } = readInstalledSources();
  const { lists, isTypo } = shipped();
  const night = afterNight(withoutDisposables(lists), isTypo, [curated.names, crawled.names, community.names]);
  const tier =
    (from: Lists, ...tiers: readonly string[]): Says =>
    (domain) =>
      tiers.includes(from.disposableTier(domain) ?? '');
  const ours = 'blocked by the bundle';
  const contestants: Record<string, Says> = {
    [ours]: tier(lists, 'block'),
    'blocked or suspected by the bundle': tier(lists, 'block', 'signal'),
    'blocked by a night of the sources alone': tier(night, 'block'),
    'blocked or suspected by that night': tier(night, 'block', 'signal'),
    'the curated list': holds(curated.names),
    fakefilter: holds(crawled.names),
    mailchecker: holds(community.names),
  };
  const held = (domains: readonly string[]) =>
    Object.entries(contestants).map(([name, says]) => ({ name, names: domains.filter(says) }));
  const caught = (domains: readonly string[]): BenchRow[] =>
    held(domains).map(({ name, names }) => ({
      name,
      value: (100 * names.length) / domains.length,
      unit: '%',
      note: `${names.length} of ${domains.length}`,
    }));
  const spared = (domains: readonly string[]): BenchRow[] =>
    held(domains).map(({ name, names }) => ({
      name,
      value: names.length,
      unit: '',
      ...(name === ours && { target: { atMost: 1 } }),
      note: `of ${domains.length}${names.length > 0 && names.length <= 4 ? `: ${names.join(' ')}` : ''}`,
    }));
  const inputs = (file: string, expected: string): string[] => [
    ...new Set(
      readCases(folder, file)
        .filter((one) => one.expected === expected)
        .map(({ input }) => input),
    ),
  ];
  return Object.fromEntries([
    ...CAUGHT.map((file) => [`${file}: caught`, caught(inputs(file, 'disposable'))] as const),
    ...SPARED.map(({ file, expected }) => [`${file}: taken for disposable`, spared(inputs(file, expected))] as const),
  ]);
}

interface Options {
  readonly cases: string;
  readonly json?: string;
}

/** Recall and false alarms of each source and tier on the same rows. Ends with 1 when more than one real domain of a file is blocked. */
export const lists = commandLine('lists', 'Holds the disposable lists, source by source, against labelled domains.')
  .requiredOption('--cases <folder>', 'where the case files are')
  .option('--json <file>', 'write the figures there too')
  .action(({ cases, json }: Options) => {
    const results = figures(cases);
    for (const [name, rows] of Object.entries(results)) printRows(name, rows);
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
  });
