import { loadavg } from 'node:os';
import { type BenchRow, figure } from './row.ts';
import { startRuntime } from './runtime.ts';
import { type Curve, exponent } from './scale/curve.ts';
import { domains } from './scale/domains.ts';
import { files } from './scale/files.ts';
import { history } from './scale/history.ts';
import { organisations } from './scale/organisations.ts';
import { rules } from './scale/rules.ts';
import { traces } from './scale/traces.ts';

const CURVES: readonly Curve[] = [organisations, rules, history, files, domains, traces];

/**
 * How the service's costs grow with what it has: the exponent of each curve, with its points. Those of Postgres need
 * `TEST_DATABASE_URL`. `isQuick`: fewer and smaller sizes, two minutes in all.
 */
export async function run(isQuick: boolean): Promise<BenchRow[]> {
  const postgresUrl = process.env.TEST_DATABASE_URL ?? '';
  const runtime = await startRuntime();
  const rows: BenchRow[] = [];
  try {
    for (const curve of CURVES) {
      if (curve.needsPostgres && postgresUrl === '')
        console.warn(`TEST_DATABASE_URL names no Postgres: no curve by ${curve.by}`);
      else rows.push(...(await measured(curve, isQuick ? curve.quick : curve.sizes)));
    }
  } finally {
    await runtime.stop();
  }
  return rows;

  async function measured(curve: Curve, sizes: readonly number[]): Promise<BenchRow[]> {
    const points: (readonly number[])[] = [];
    for (const size of sizes) points.push(await curve.measure({ runtime, postgresUrl }, size));
    return curve.costs.map(({ name, unit, atMost }, cost) => {
      const values = points.map((point) => point[cost] ?? Number.NaN);
      const shown = sizes.map((size, i) => `${size}: ${figure(values[i] ?? Number.NaN)}`).join(', ');
      return {
        name: `exponent: ${name}`,
        value: exponent(sizes, values),
        unit: '',
        target: { atMost },
        note: `${unit} by ${curve.by}: ${shown}; load ${loadavg()[0]?.toFixed(0)}`,
      };
    });
  }
}
