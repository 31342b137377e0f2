/** One fault of a document: where (`rules[2].when.all[0].path`) and what, without repeating a value. */
export interface Fault {
  readonly at: string;
  readonly problem: string;
}

/** Records a fault. */
export type Report = (at: string, problem: string) => void;

export type Members = Readonly<Record<string, unknown>>;

const FAULTS_NAMED = 5;

/** The first faults with their positions (below `root`, when the document is a member), and how many more follow. */
export function faultsMessage(faults: readonly Fault[], root = ''): string {
  const named = faults.slice(0, FAULTS_NAMED).map(({ at, problem }) => {
    const position = root === '' || at === '' ? at || root : `${root}.${at}`;
    return `${position === '' ? 'The policy' : `\`${position}\``} ${problem}`;
  });
  const more = faults.length - named.length;
  return `${[...named, ...(more > 0 ? [`${more} more`] : [])].join('; ')}.`;
}

/** A name that a message may repeat: any other text could be personal data. */
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const memberAt = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);

/**
 * Reads an object and records members that are not allowed, `__proto__` included. Null, with the fault recorded, when the
 * value is not an object.
 */
export function objectAt(value: unknown, at: string, allowed: readonly string[], report: Report): Members | null {
  if (!isObject(value)) {
    report(at, 'must be an object');
    return null;
  }
  for (const name of Object.keys(value)) {
    if (allowed.includes(name)) continue;
    if (PLAIN_NAME.test(name)) report(memberAt(at, name), 'is not a known member');
    else report(at, 'has an unknown member');
  }
  return value;
}

/** A member of the object itself; undefined when it is absent. */
export const member = (object: Members, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Reads a list within its limits. Empty, with the fault recorded, when the value is not a list. */
export function listAt(
  value: unknown,
  at: string,
  { min = 0, max }: { readonly min?: number; readonly max: number },
  report: Report,
): readonly unknown[] {
  if (!Array.isArray(value)) {
    report(at, value === undefined ? 'is required' : 'must be a list');
    return [];
  }
  if (value.length < min) report(at, 'must not be empty');
  if (value.length <= max) return value;
  report(at, `must have at most ${max} entries`);
  return [];
}

/** Whether the value is one of these words; records the fault when it is not. */
export function isWordAt<T extends string>(
  value: unknown,
  at: string,
  words: readonly T[],
  report: Report,
): value is T {
  if (typeof value === 'string' && (words as readonly string[]).includes(value)) return true;
  report(at, value === undefined ? 'is required' : `must be one of ${words.join(', ')}`);
  return false;
}
