import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchRow } from '../../scripts/bench/measure.ts';
import { createLists } from '../../src/domain/lists/lists.ts';
import { readCases } from './cases.ts';

const DATA = join(import.meta.dirname, '../../src/domain/lists/data');
const DISPOSABLE_FILES = ['fakefilter', 'fresh-2026-07-08', 'fresh-2026-09', 'subdomains'];

/**
 * What the lists say about domains collected elsewhere: free providers (`free-providers.json`), companies
 * (`free-providers-negative.json`) and throwaway domains (`disposable-*.json`).
 */
export async function run(folder: string): Promise<BenchRow[]> {
  const data = (file: string): Uint8Array => readFileSync(join(DATA, file));
  const lists = createLists({ domains: data('domains.bin'), names: data('names.bin') });
  const share = (name: string, domains: readonly string[], holds: (domain: string) => boolean): BenchRow => {
    const held = domains.filter(holds).length;
    return { name, value: (100 * held) / domains.length, unit: '%', note: `${held} of ${domains.length}` };
  };
  const domains = (file: string, expected?: string): string[] =>
    readCases(folder, file)
      .filter((one) => expected === undefined || one.expected === expected)
      .map(({ input }) => input);
  const isFree = (domain: string): boolean => lists.isFreeProvider(domain);
  const isCurated = (domain: string): boolean => isFree(domain) && lists.isKnown(domain);
  const isListed = (domain: string): boolean => lists.disposableTier(domain) !== null;
  return [
    { ...share('free providers: known', domains('free-providers', 'free'), isFree), target: { atLeast: 90 } },
    share('free providers: known whatever their mail hosts', domains('free-providers', 'free'), isCurated),
    {
      ...share('others: taken for one', domains('free-providers-negative', 'not_free'), isFree),
      target: { atMost: 0.5 },
    },
    ...DISPOSABLE_FILES.map((file) => share(`disposable: listed, ${file}`, domains(`disposable-${file}`), isListed)),
  ];
}
