import { writeFileSync } from 'node:fs';
import { Option } from 'commander';
import { type BenchRow, printRows } from '../../scripts/bench/measure.ts';
import { commandLine } from '../../scripts/command-line.ts';

/** Loaded on demand: some read all the lists when they start. */
const CHECKS: Readonly<Record<string, () => Promise<{ run: (folder: string) => Promise<readonly BenchRow[]> }>>> = {
  typo: () => import('./typo.ts'),
  placeholder: () => import('./placeholder.ts'),
  names: () => import('./names.ts'),
  label: () => import('./label.ts'),
  lists: () => import('./lists.ts'),
};

interface Options {
  readonly cases: string;
  readonly only?: string;
  readonly json?: string;
}

/** Compares the code checks of screening with today's alternatives. Exits with 1 when a figure misses its target. */
export const screening = commandLine('screening', 'Holds the code checks of screening against labelled cases.')
  .requiredOption('--cases <folder>', 'where the case files are')
  .addOption(new Option('--only <check>', 'one check alone').choices(Object.keys(CHECKS)))
  .option('--json <file>', 'write the figures there too')
  .action(async ({ cases, only, json }: Options) => {
    const results: Record<string, readonly BenchRow[]> = {};
    for (const [name, load] of Object.entries(CHECKS)) {
      if (only !== undefined && name !== only) continue;
      const rows = await (await load()).run(cases);
      results[name] = rows;
      printRows(name, rows);
    }
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
  });
