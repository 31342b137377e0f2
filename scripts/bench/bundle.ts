import { bundleBudget } from '../check/bundle.ts';
import type { BenchRow } from './row.ts';

/** The weight that `npm run check` holds to its budget. */
export async function run(): Promise<BenchRow[]> {
  const { note = '', output } = await bundleBudget();
  // "152.3 KB gzip of 400"
  const [weight, budget] = [...note.matchAll(/[\d.]+/g)].map(Number);
  if (weight === undefined || budget === undefined) throw new Error(output);
  return [{ name: "the Worker's code, gzip", value: weight, unit: 'KB', target: { atMost: budget } }];
}
