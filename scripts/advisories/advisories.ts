import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Advisory {
  readonly id: string;
  readonly package: string;
  /** The first version that is affected, and the first that is not any more. */
  readonly from: string;
  readonly before: string;
  readonly title: string;
}
interface Snapshot {
  readonly read_at: string;
  readonly from: string;
  readonly asked: readonly string[];
  readonly advisories: readonly Advisory[];
}

const read = (path: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, path), 'utf8'));
/** Advisories of the locked packages as of a date: the registry answers no `npm audit`. */
export const SNAPSHOT = read('advisories.json') as Snapshot;

/** Why an affected version does no harm here, by package and advisory. */
export const HARMLESS: Readonly<Record<string, string>> = {
  'better-auth CVE-2026-134315':
    'an address is never changed here: `changeEmail` is off, and its paths are closed. A release with the mend needs a newer `@better-auth/passkey` than the registry of this project has',
  '@better-auth/passkey CVE-2026-134320':
    'the origin is a setting of the dashboard’s own, not the request’s, and user verification is preferred, never required. The registry of this project has no later release',
};

/** The lock file has only plain versions. */
const isBefore = (one: string, other: string): boolean => one.localeCompare(other, 'en', { numeric: true }) < 0;

interface Hit {
  readonly advisory: Advisory;
  readonly version: string;
}

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>;
}

export function lockedHits(): Hit[] {
  const { packages } = read('../../package-lock.json') as LockFile;
  return Object.entries(packages).flatMap(([path, { version = '' }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return SNAPSHOT.advisories
      .filter((each) => each.package === name && !isBefore(version, each.from) && isBefore(version, each.before))
      .map((advisory) => ({ advisory, version }));
  });
}
export const nameOf = ({ advisory }: Hit): string => `${advisory.package} ${advisory.id}`;
