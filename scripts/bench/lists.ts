import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLists } from '../../src/domain/lists/lists.ts';
import { readInstalledSources } from '../lists/sources.ts';
import { spread, takeTurns } from './rounds.ts';
import type { BenchRow } from './row.ts';

const PER_ROUND = 200_000;
const DATA = join(import.meta.dirname, '../../src/domain/lists/data');

/** Nanoseconds a call takes, over strings made afresh: one used before carries its hash, which only a Set gains by. */
const nanosecondsEach = (inputs: readonly string[], ask: (domain: string) => unknown) => (): number => {
  const fresh = Array.from({ length: PER_ROUND }, (_, i) =>
    Buffer.from(inputs[i % inputs.length] ?? '').toString('latin1'),
  );
  let sink = 0;
  const start = process.hrtime.bigint();
  for (const domain of fresh) if (ask(domain) === undefined) sink += 1;
  const taken = Number(process.hrtime.bigint() - start);
  if (sink > 0) throw new Error('every look-up answers');
  return taken / PER_ROUND;
};

const microseconds = (work: () => unknown) => (): number => {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start) / 1_000;
};

/** The same list in a Set, asked for the domain and each of its parents. */
const inSet =
  (set: ReadonlySet<string>) =>
  (domain: string): string | null => {
    for (let name = domain; ; name = name.slice(name.indexOf('.') + 1)) {
      if (set.has(name)) return name;
      if (!name.includes('.')) return null;
    }
  };

/** Look-ups in the packed disposable list beside a JS `Set` of the same names: listed, unlisted, below a listed name. */
export async function run(): Promise<BenchRow[]> {
  const domains = readFileSync(join(DATA, 'domains.bin'));
  const names = readFileSync(join(DATA, 'names.bin'));
  const lists = createLists({ domains, names });
  const { curated, crawled, community } = readInstalledSources();
  const all = [...curated.names, ...crawled.names, ...community.names];
  const listed = [...new Set(all.filter((name) => lists.disposableTier(name) !== null))];
  const set = new Set(listed);

  const opening = await takeTurns({
    packed: microseconds(() => createLists({ domains, names })),
    set: microseconds(() => new Set(listed)),
  });
  const rows: BenchRow[] = [
    {
      name: 'packed domain list: size',
      value: domains.length,
      unit: 'bytes',
      target: { atMost: 2_000_000 },
      note: 'all sets',
    },
    {
      name: 'packed lists: opening',
      value: Math.round(spread(opening.packed).median),
      unit: 'us',
      note: `filling a Set with the ${set.size} disposable names alone: ${Math.round(spread(opening.set).median)} us`,
    },
  ];
  const sample = listed.filter((_, i) => i % 9 === 0);
  const kinds = {
    listed: sample,
    unlisted: sample.map((name) => `z9${name}`),
    'below a listed name': sample.map((name) => `mx4.${name}`),
  };
  for (const [kind, inputs] of Object.entries(kinds)) {
    const times = await takeTurns({
      packed: nanosecondsEach(inputs, (domain) => lists.disposableTier(domain)),
      set: nanosecondsEach(inputs, inSet(set)),
    });
    const { median, range } = spread(times.packed);
    rows.push({
      name: `disposable look-up: ${kind}`,
      value: Math.round(median),
      unit: 'ns',
      range: [Math.round(range[0]), Math.round(range[1])],
      target: { atMost: 1_000 },
      note: `a Set: ${Math.round(spread(times.set).median)} ns`,
    });
  }
  return rows;
}
