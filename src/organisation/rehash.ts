import { rowName } from '../domain/belief/names.ts';
import { DAY_MS } from '../kernel/clock.ts';
import type { ObjectCore } from './core.ts';
import { rehashRule } from './rules.ts';
import { erasedMark } from './sql/bulk.ts';
import { rehashAnswers } from './sql/operations.ts';
import { appendOutbox, rehashErasure } from './sql/organisation.ts';
import { putRehash } from './sql/rehash.ts';

/** An address, or a domain, of an organisation: its hash now, and those that it had under earlier secrets. */
export interface Rehash {
  readonly hash: string;
  readonly earlier: readonly string[];
  readonly isDomain: boolean;
}

/** What an isolate has hashed under a new secret. */
export interface PendingRehashes {
  of(organisationId: string): readonly Rehash[];
  /** The object knows of these. */
  confirm(organisationId: string, rehashes: readonly Rehash[]): void;
}

/** A row that came late under an earlier hash is moved when its address is seen on a later day. */
const AGAIN_MS = DAY_MS;
/** Some 60 KB: as much as one statement to Postgres takes. */
const REHASHES_A_ROW = 400;

/** Moves what stands under earlier hashes to the present one: here at once, and in Postgres with the outbox. */
export function applyRehashes(core: ObjectCore, rehashes: readonly Rehash[]): void {
  core.change((deps) => {
    const { sql, now } = deps;
    const moved: { readonly old: string; readonly hash: string }[] = [];
    for (const { hash, earlier, isDomain } of rehashes)
      for (const old of earlier) {
        if (!putRehash(sql, old, hash, now, now - AGAIN_MS)) continue;
        if (isDomain) core.history.rehashDomain(rowName(old), rowName(hash));
        else {
          rehashRule(deps, old, hash);
          rehashAnswers(sql, old, hash);
          rehashErasure(sql, { old, hash }, erasedMark(rowName(old)), erasedMark(rowName(hash)));
          core.history.rehash(rowName(old), rowName(hash), now);
          moved.push({ old, hash });
        }
      }
    const { id: organisationId } = core.require();
    for (let from = 0; from < moved.length; from += REHASHES_A_ROW) {
      const record = { organisationId, rehashes: moved.slice(from, from + REHASHES_A_ROW) };
      appendOutbox(sql, 'rehash', organisationId, JSON.stringify(record), now);
    }
    if (moved.length > 0) core.drainSoon(now);
  });
}
