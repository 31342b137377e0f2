import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../../scripts/command-line.ts';
import { lifeChart, WORTH, worthChart } from './charts.ts';

const DOCS = join(import.meta.dirname, '../../docs');

/** Draws the pictures of `docs/evidence.md` from the seeded model itself. */
export const evidence = commandLine(
  'evidence',
  'Draws what each kind of evidence is worth, and how the number of one address moves over 180 days.',
)
  .option('--out <folder>', 'where the pictures go', DOCS)
  .action(({ out }: { out: string }) => {
    for (const [what, probability] of WORTH) console.log(`${probability.toFixed(3)}  ${what}`);
    writeFileSync(join(out, 'evidence-worth.svg'), worthChart());
    writeFileSync(join(out, 'one-address.svg'), lifeChart());
    console.log(`\n${join(out, 'evidence-worth.svg')}\n${join(out, 'one-address.svg')}`);
  });
