import { KNOWN_PATHS, OPS_BY_TYPE, type PathType, pathType } from '../../../../src/domain/policy/paths.ts';

/** Every path that a rule can read, apart from attributes. */
export { KNOWN_PATHS, type PathType };

export const OPERATORS: readonly string[] = [...new Set(Object.values(OPS_BY_TYPE).flat())];

/** What is not known here is compared with anything. */
export const typeOf = (path: string): PathType => pathType(path) ?? { is: 'any' };

/** Whether a rule can read it. */
export const isPath = (path: string): boolean => pathType(path) !== null;

/** A number from 0 to 1, which screens show in per cent. */
export const isShare = (path: string): boolean => path === 'verification.bounce_probability';

/** The closed set of a path; empty: it has none. */
export function wordsOf(path: string): readonly string[] {
  const type = typeOf(path);
  return type.is === 'word' || type.is === 'words' ? type.of : [];
}

export const operatorsOf = (path: string): readonly string[] => OPS_BY_TYPE[typeOf(path).is];

/** The operator that a new condition begins with: a number is seldom compared for being the same. */
export const firstOperator = (path: string): string =>
  typeOf(path).is === 'number' ? 'gt' : (operatorsOf(path)[0] ?? 'eq');
