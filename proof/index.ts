import { Argument } from 'commander';
import { commandLine, wholeNumber } from '../scripts/command-line.ts';
import { runInOrder } from '../scripts/run-in-order.ts';
import { PART_NAMES } from './document.ts';

const MUTATION = 'mutation';
const ALL = [...PART_NAMES, MUTATION];

/** `npm run proof [-- PART…]`: shows what the service promises, and writes what came out to docs/proof.md. */
const command = commandLine(
  'proof',
  'Shows what the service promises, part by part. Each but mutation writes its section of docs/proof.md.',
)
  .addArgument(new Argument('[part...]', 'the parts to run; all where none is named').choices(ALL))
  .option('--seed <n>', 'what random cases follow from', wholeNumber(0), 1)
  .option('--cases <n>', 'how many orders of steps are tried of each thing that races', wholeNumber(1), 300)
  .option('--file <path...>', 'the files that are mutated (default: all of the pure parts)')
  .option('--count <n>', 'how many requests are fuzzed (100,000), or times the runtime is killed (100)', wholeNumber(1))
  .option(
    '--only <text...>',
    'of the fault matrix what has one of these texts in its name; shown, not written to the page',
  )
  .option(
    '--rest-while <path>',
    'a file: while it is there, faults, fuzzing and crashes send nothing, so that others can measure',
  )
  .parse();
const {
  seed,
  count,
  cases,
  file,
  only = [],
  restWhile = '',
} = command.opts<{
  seed: number;
  count?: number;
  cases: number;
  file?: string[];
  only?: string[];
  restWhile?: string;
}>();
const named = command.args.length === 0 ? ALL : command.args;

process.env['PROOF_SEED'] = String(seed);
if (count !== undefined) process.env['PROOF_COUNT'] = String(count);
process.env['PROOF_CASES'] = String(cases);
process.env['PROOF_ONLY'] = only.join(',');
process.env['PROOF_REST_WHILE'] = restWhile;
const files = named.filter((name) => name !== MUTATION).map((name) => `proof/${name}.proof.ts`);
runInOrder(
  ...(files.length === 0 ? [] : [['vitest', 'run', '--config', 'proof/vitest.config.ts', ...files] as const]),
  ...(named.includes(MUTATION)
    ? [['node', 'proof/mutation/run.ts', ...(file === undefined ? [] : ['--file', ...file])] as const]
    : []),
);
