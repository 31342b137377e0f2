import { KNOWN_PATHS, OPS_BY_TYPE, type PathType, pathType } from '../../../../src/domain/policy/paths.ts';

export { KNOWN_PATHS, type PathType };

export const OPERATORS: readonly string[] = [...new Set(Object.values(OPS_BY_TYPE).flat())];

/** Unknown paths accept any operator. */
export const typeOf = (path: string): PathType => pathType(path) ?? { is: 'any' };

export const isPath = (path: string): boolean => pathType(path) !== null;

/** Number from 0 to 1, shown in percent. */
export const isShare = (path: string): boolean => path === 'verification.bounce_probability';

/** The closed set of a path's values; empty if it has none. */
export function wordsOf(path: string): readonly string[] {
  const type = typeOf(path);
  return type.is === 'word' || type.is === 'words' ? type.of : [];
}

export const operatorsOf = (path: string): readonly string[] => OPS_BY_TYPE[typeOf(path).is];

/** First operator of a new condition: numbers are seldom compared for equality. */
export const firstOperator = (path: string): string =>
  typeOf(path).is === 'number' ? 'gt' : (operatorsOf(path)[0] ?? 'eq');
