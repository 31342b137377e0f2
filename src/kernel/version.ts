import { DependencyError } from './errors.ts';

/**
 * What one release writes and another reads has a version: it goes up with the first release that writes what its neighbour's
 * neighbour could not read. Every release reads a new form one release before any writes it, so that each reads the version
 * after its own. Fields are only ever added: a reader ignores those it does not know, and does without those that are absent.
 */
export const readableUpTo = (written: number): number => written + 1;

/** Refuses what only a later release reads, as an outage: it stays where it is until that release is back. */
export function requireReadable(what: string, version: number, newest: number): void {
  if (version > newest)
    throw new DependencyError('release', `${what} is of version ${version}, and read here up to ${newest}`);
}
