import { OPERATORS, PATHS, type ValueType } from './paths.ts';

/** Attributes are whatever the caller sends. */
export const typeOf = (path: string): ValueType => PATHS[path] ?? { is: 'any' };

export const operatorsOf = (path: string): readonly string[] => OPERATORS[typeOf(path).is];

/** The operator that a new condition begins with: a number is seldom compared for being the same. */
export const firstOperator = (path: string): string =>
  typeOf(path).is === 'number' ? 'gt' : (operatorsOf(path)[0] ?? 'eq');
