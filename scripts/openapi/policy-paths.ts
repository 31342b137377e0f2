import { KNOWN_PATHS, OPS_BY_TYPE, pathType } from '../../src/domain/policy/paths.ts';
import { commandLine } from '../command-line.ts';
import { writeGenerated } from './typescript.ts';

/** What a rule can read and how it can compare, as the dashboard's form of a condition offers it. */
const TARGET = 'dashboard/app/screens/policy/paths.ts';

const text = `// Written by \`npm run dashboard:paths\` from src/domain/policy/paths.ts.

/** What a value of a path may be: one word of a closed set, several (\`words\`), or any value of a kind. */
export type ValueType =
  | { readonly is: 'number' | 'boolean' | 'string' | 'country' | 'any' }
  | { readonly is: 'word' | 'words'; readonly of: readonly string[] };

/** Every path that a rule can read, apart from attributes. */
export const PATHS: Readonly<Record<string, ValueType>> = ${JSON.stringify(
  Object.fromEntries(KNOWN_PATHS.map((path) => [path, pathType(path)])),
)};

/** Operators that make sense for a type. */
export const OPERATORS: Readonly<Record<ValueType['is'], readonly string[]>> = ${JSON.stringify(OPS_BY_TYPE)};
`;

const { check } = commandLine('dashboard:paths', 'Writes what the dashboard’s form of a condition offers.')
  .option('--check', 'write nothing; end with 1 when the file differs', false)
  .parse()
  .opts<{ check: boolean }>();
writeGenerated(TARGET, text, check, 'dashboard:paths', 'src/domain/policy/paths.ts');
