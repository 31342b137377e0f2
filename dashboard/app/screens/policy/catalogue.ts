import { OPERATORS, PATHS, type ValueType } from './paths.ts';

/** Attributes are whatever the caller sends. */
export const typeOf = (path: string): ValueType => PATHS[path] ?? { is: 'any' };

/** The closed set of a path; empty: it has none. */
export function wordsOf(path: string): readonly string[] {
  const type = typeOf(path);
  return type.is === 'word' || type.is === 'words' ? type.of : [];
}

export const operatorsOf = (path: string): readonly string[] => OPERATORS[typeOf(path).is];

/** The operator that a new condition begins with: a number is seldom compared for being the same. */
export const firstOperator = (path: string): string =>
  typeOf(path).is === 'number' ? 'gt' : (operatorsOf(path)[0] ?? 'eq');
