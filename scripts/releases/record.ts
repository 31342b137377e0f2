import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The last release as it was: its record and its built Worker. Written by `npm run release:record`. */
export const LAST_RELEASE = join(import.meta.dirname, '../../last-release');

/** A step that a release has run, by which a later change of it is seen. */
export interface RecordedStep {
  readonly name: string;
  readonly digest: string;
}

export interface ReleaseRecord {
  /** Counts up by one with every release. */
  readonly release: number;
  readonly commit: string;
  readonly object: readonly RecordedStep[];
  readonly postgres: readonly RecordedStep[];
}

export const readRecord = (): ReleaseRecord =>
  JSON.parse(readFileSync(join(LAST_RELEASE, 'release.json'), 'utf8')) as ReleaseRecord;
