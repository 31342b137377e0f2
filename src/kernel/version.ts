import { DependencyError } from './errors.ts';

/**
 * What one release writes and another reads has a version. A release learns to read a new form one release before any
 * writes it, so each reads its own version and the next; the number goes up with the first release that writes the new
 * form. Fields are only ever added: a reader ignores those it does not know and does without those that are absent.
 */
export const readableUpTo = (written: number): number => written + 1;

/** Throws an outage on what only a later release can read: it stays where it is until that release is back. */
export function requireReadable(what: string, version: number, newest: number): void {
  if (version > newest)
    throw new DependencyError('release', `${what} is of version ${version}, and read here up to ${newest}`);
}
