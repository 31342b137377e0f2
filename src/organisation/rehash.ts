import { rowName } from '../domain/belief/names.ts';
import { DAY_MS } from '../kernel/clock.ts';
import type { ChangeDeps } from './changes.ts';
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

type Pair = Readonly<Record<'old' | 'hash', string>>;

/** Moves what stands under earlier hashes to the present one: here at once, and in Postgres with the outbox. */
export function applyRehashes(core: ObjectCore, rehashes: readonly Rehash[]): void {
  core.change((deps) => {
    const ages = Math.max(...rehashes.map(({ earlier }) => earlier.length));
    for (let age = 0; age < ages; age += 1)
      project(
        core,
        rehashes.flatMap(({ hash, earlier, isDomain }) => {
          const old = earlier[age];
          return old !== undefined && move(core, deps, { old, hash }, isDomain) ? [{ old, hash }] : [];
        }),
      );
  });
}

/** True: it was an address's, which may have rows in Postgres. */
function move({ history }: ObjectCore, deps: ChangeDeps, pair: Pair, isDomain: boolean): boolean {
  const { old, hash } = pair;
  const { sql, now } = deps;
  const [oldName, name] = [rowName(old), rowName(hash)];
  if (!putRehash(sql, old, hash, now, now - AGAIN_MS)) return false;
  if (isDomain) history.rehashDomain(oldName, name);
  else {
    rehashRule(deps, old, hash);
    rehashAnswers(sql, old, hash);
    rehashErasure(sql, pair, erasedMark(oldName), erasedMark(name));
    history.rehash(oldName, name, now);
  }
  return !isDomain;
}

/** A row for Postgres has no two earlier hashes of one address: each may have the row of which there can be one. */
function project(core: ObjectCore, pairs: readonly Pair[]): void {
  const { id: organisationId } = core.require();
  for (let from = 0; from < pairs.length; from += REHASHES_A_ROW) {
    const record = { organisationId, rehashes: pairs.slice(from, from + REHASHES_A_ROW) };
    appendOutbox(core.sql, 'rehash', organisationId, JSON.stringify(record), core.now());
  }
  if (pairs.length > 0) core.drainSoon();
}
