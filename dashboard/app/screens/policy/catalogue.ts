import { OPERATORS, PATHS, type ValueType } from './paths.ts';

/** Attributes are whatever the caller sends. */
export const typeOf = (path: string): ValueType => (Object.hasOwn(PATHS, path) && PATHS[path]) || { is: 'any' };

const ATTRIBUTE = /^attributes\.[a-z][a-z0-9_]{0,63}$/;

/** Whether a rule can read it. */
export const isPath = (path: string): boolean => Object.hasOwn(PATHS, path) || ATTRIBUTE.test(path);

/** A number from 0 to 1, which screens show in per cent. */
export const isShare = (path: string): boolean => path === 'verification.bounce_probability';

/** The closed set of a path; empty: it has none. */
export function wordsOf(path: string): readonly string[] {
  const type = typeOf(path);
  return type.is === 'word' || type.is === 'words' ? type.of : [];
}

export const operatorsOf = (path: string): readonly string[] => OPERATORS[typeOf(path).is];

/** The operator that a new condition begins with: a number is seldom compared for being the same. */
export const firstOperator = (path: string): string =>
  typeOf(path).is === 'number' ? 'gt' : (operatorsOf(path)[0] ?? 'eq');
