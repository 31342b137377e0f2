import { modelFrom } from '../domain/calibration/model-document.ts';
import type { Model } from '../domain/verification/model.ts';
import { DAY_MS } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { type FactStore, readFact, writeFact } from './kv.ts';

/**
 * Accounts with outcomes get a new version every night; a version that stays in force longer is read from Postgres again.
 */
const LIFETIME_MS = 30 * DAY_MS;

/** The version in the key's name changes with the shape of the document. */
export const modelKey = (organisationId: Id<'org'>, version: string): string =>
  `calibration:v1:${organisationId}:${version}`;

/** The cached model; null for a miss, a failure or a value of another shape. Never rejects. */
export async function readCachedModel(
  kv: FactStore,
  organisationId: Id<'org'>,
  version: string,
): Promise<Model | null> {
  const stored = await readFact(kv, modelKey(organisationId, version));
  try {
    return stored === null ? null : modelFrom(JSON.parse(stored));
  } catch {
    return null;
  }
}

/** Never rejects. */
export const writeCachedModel = (
  kv: FactStore,
  organisationId: Id<'org'>,
  version: string,
  document: object,
): Promise<void> => writeFact(kv, modelKey(organisationId, version), document, LIFETIME_MS);
