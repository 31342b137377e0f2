import { availableParallelism } from 'node:os';
import { bundleBudget, pageBudget } from './check/budgets.ts';
import { migrationsDrift } from './check/drift.ts';
import { brokenRules, circles, describeBroken, importsBelow } from './check/import-rules.ts';
import { schemaSteps } from './check/schema-steps.ts';
import { program, ROOT, type Step, type StepResult } from './check/step.ts';
import { commandLine } from './command-line.ts';

/** `npm run check`: all static checks of the source. All steps run; any failure is exit code 1. */

commandLine('check', 'Everything that can be said about the source without running it.').parse();

/** The longest first: steps run side by side. */
const STEPS: readonly Step[] = [
  program('list data', 'node', 'scripts/lists/build.ts', '--check'),
  program('notices', 'node', 'scripts/notices/build.ts', '--check'),
  program('name data', 'node', 'scripts/lists/romanisation.ts', '--check'),
  program('Japanese names', 'node', 'scripts/lists/japanese-names.ts', '--check'),
  program('known names', 'node', 'scripts/lists/known-names.ts', '--check'),
  program('own tables', 'node', 'scripts/lists/own-tables.ts', '--check'),
  program('types', 'tsc', '--noEmit'),
  program('page types', 'tsc', '--noEmit', '-p', 'dashboard/app'),
  program('lint', 'oxlint'),
  { name: 'bundle budget', run: bundleBudget },
  { name: 'page budget', run: pageBudget },
  program('binding types', 'npm', 'run', '--silent', 'types', '--', '--check'),
  program('OpenAPI', 'node', 'scripts/openapi/check.ts'),
  program('unused code', 'knip', '--no-progress'),
  { name: 'migrations', run: migrationsDrift },
  program('format', 'oxfmt', '--check'),
  { name: 'schema steps', run: schemaSteps },
  { name: 'import rules', run: importRules },
];

async function importRules(): Promise<StepResult> {
  const imports = importsBelow(ROOT);
  const broken = [
    ...brokenRules(imports).map(describeBroken),
    ...circles(imports).map((way) => `a circle: ${way.join(' → ')}`),
  ];
  return { ok: broken.length === 0, note: `${imports.length} imports`, output: broken.join('\n') };
}

/** Runs a step and prints its line, with its output when it failed. Returns whether it passed. */
async function report({ name, run }: Step): Promise<boolean> {
  const started = performance.now();
  const { ok, note, output } = await run().catch((error: Error): StepResult => ({ ok: false, output: error.message }));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${ok ? '✓' : '✗'} ${name.padEnd(14)} ${seconds.padStart(5)} s  ${note ?? ''}`.trimEnd());
  if (!ok) console.log(`\n${output.trim()}\n`);
  return ok;
}

const waiting = [...STEPS];
const failed: string[] = [];

async function work(): Promise<void> {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    if (!(await report(step))) failed.push(step.name);
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
console.log(failed.length === 0 ? `All ${STEPS.length} checks passed.` : `Failed: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
