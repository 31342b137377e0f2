import QuickLRU from 'quick-lru';
import { modelFrom } from '../../domain/calibration/model-document.ts';
import type { Model } from '../../domain/verification/model.ts';
import { type Clock, SECOND_MS } from '../../kernel/clock.ts';
import { LATE, within } from '../../kernel/deadline.ts';
import type { Id } from '../../kernel/ids.ts';
import { readCachedModel, writeCachedModel } from '../../storage/fitted-models.ts';
import type { FactStore } from '../../storage/kv.ts';
import { findModelDocument } from '../../storage/postgres/calibration.ts';
import type { Database } from '../../storage/postgres/client.ts';
import type { VerifyDeps } from '../verification/assess.ts';

/** Up to twice as many are kept, of about 150 KB each. */
const MODELS_KEPT = 64;

/** An answer waits this long for the model; then the seeded tables have to do. */
const PATIENCE_MS = 500;

/** A model that can't be had is not asked for again at once: each answer would wait. */
const MISSING_MS = 30 * SECOND_MS;

interface Settled {
  readonly model: Model | null;
  /** When a missing model may be looked for again. */
  readonly until: number;
}

/** The fitted models of an isolate, by organisation and version. The least used go first. */
export type ModelMemory = Pick<QuickLRU<string, Settled>, 'get' | 'set'>;
export const createModelMemory = (): ModelMemory => new QuickLRU<string, Settled>({ maxSize: MODELS_KEPT });

export interface ModelFinderDeps {
  readonly db: Database;
  readonly kv: FactStore;
  readonly memory: ModelMemory;
  readonly now: Clock;
  /** Lets work go on behind the answer. */
  readonly defer: (work: Promise<unknown>) => void;
}

/** Reads KV, then Postgres. A model from Postgres goes into KV again. */
async function lookUp({ db, kv, defer }: ModelFinderDeps, id: Id<'org'>, version: string): Promise<Model | null> {
  const cached = await readCachedModel(kv, id, version);
  if (cached !== null) return cached;
  const document = await findModelDocument(db, id, version).catch(() => null);
  const model = modelFrom(document);
  if (model !== null) defer(writeCachedModel(kv, id, version, document as object));
  return model;
}

/** An isolate reads a version once. */
export function modelFinder(deps: ModelFinderDeps): VerifyDeps['findModel'] {
  const { memory, now } = deps;
  return async (organisationId, version, deadlineMs) => {
    const key = `${organisationId} ${version}`;
    const known = memory.get(key);
    if (known !== undefined && (known.model !== null || known.until > now())) return known.model;
    const settle = (model: Model | null): void => void memory.set(key, { model, until: now() + MISSING_MS });
    const work = lookUp(deps, organisationId, version).then((model) => {
      settle(model);
      return model;
    });
    const found = await within(work, Math.max(0, Math.min(PATIENCE_MS, deadlineMs - now())));
    if (found !== LATE) return found;
    settle(null);
    deps.defer(work);
    return null;
  };
}
