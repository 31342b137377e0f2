import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLists, type Lists } from '../../src/domain/lists/index.ts';
import { readInstalledSources } from '../lists/sources.ts';

export interface BenchRow {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly target?: string;
  readonly note?: string;
}

const ROUNDS = 9;
const PER_ROUND = 400_000;
const DATA = join(import.meta.dirname, '../../src/domain/lists/data');

/** Median nanoseconds of one call, over rounds in which the contestants take turns. */
function timed(
  contestants: Readonly<Record<string, (domain: string) => unknown>>,
  inputs: readonly string[],
): Record<string, number> {
  const times: Record<string, number[]> = {};
  let sink = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, ask] of Object.entries(contestants)) {
      // Fresh strings, as parsing an address makes them: a string used before carries its hash, which only a Set gains by.
      const fresh = Array.from({ length: PER_ROUND }, (_, i) =>
        Buffer.from(inputs[i % inputs.length] ?? '').toString('latin1'),
      );
      const start = process.hrtime.bigint();
      for (const domain of fresh) sink += ask(domain) === null ? 0 : 1;
      (times[name] ??= []).push(Number(process.hrtime.bigint() - start) / PER_ROUND);
    }
  }
  if (sink < 0) throw new Error('unreachable');
  return Object.fromEntries(
    Object.entries(times).map(([name, values]) => [name, values.sort((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN]),
  );
}

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
  const opened = process.hrtime.bigint();
  const lists: Lists = createLists({ domains, names });
  const openUs = Number(process.hrtime.bigint() - opened) / 1_000;
  const { curated, crawled, community } = readInstalledSources();
  const listed = [...curated.names, ...crawled.names, ...community.names].filter(
    (name) => lists.disposableTier(name) !== null,
  );
  const built = process.hrtime.bigint();
  const set = new Set(listed);
  const buildUs = Number(process.hrtime.bigint() - built) / 1_000;

  const sample = listed.filter((_, i) => i % 9 === 0);
  const kinds = {
    listed: sample,
    unlisted: sample.map((name) => `z9${name}`),
    'below a listed name': sample.map((name) => `mx4.${name}`),
  };
  const rows: BenchRow[] = [
    {
      name: 'packed list, size',
      value: domains.length,
      unit: 'bytes',
      target: '<= 2 MB',
      note: 'all six sets of domains',
    },
    {
      name: 'packed list, opening',
      value: Math.round(openUs),
      unit: 'us',
      note: `all sets; a Set of the ${set.size} disposable names alone: ${Math.round(buildUs)} us`,
    },
  ];
  for (const [kind, inputs] of Object.entries(kinds)) {
    const medians = timed({ packed: (domain) => lists.disposableTier(domain), set: inSet(set) }, inputs);
    rows.push({
      name: `disposable look-up, ${kind}`,
      value: Math.round(medians.packed ?? Number.NaN),
      unit: 'ns',
      target: '< 1000 ns',
      note: `Set: ${Math.round(medians.set ?? Number.NaN)} ns`,
    });
  }
  return rows;
}
