import QuickLRU from 'quick-lru';
import { MINUTE_MS } from '../kernel/clock.ts';
import { deriveKey, hmacHex } from '../kernel/crypto.ts';
import type { Rehash, PendingRehashes } from '../organisation/api.ts';

/** Derived keys are cached for the busiest organisations. */
const KEYS_KEPT = 1_000;
/** Domains come again and again, and a hash takes as long as several statements. */
const DOMAINS_KEPT = 5_000;

/** A hash keyed by organisation and use, so that hashes of different organisations or uses can't be compared. */
export function hasher(
  secret: () => Uint8Array,
  use: 'address' | 'identity' | 'processor',
): (organisationId: string, text: string) => string {
  const keys = new QuickLRU<string, Uint8Array>({ maxSize: KEYS_KEPT });
  const domains = new QuickLRU<string, string>({ maxSize: DOMAINS_KEPT });
  const hashOf = (organisationId: string, text: string): string => {
    let key = keys.get(organisationId);
    if (key === undefined) {
      key = deriveKey(secret(), `${use} hash ${organisationId}`);
      keys.set(organisationId, key);
    }
    return hmacHex(key, text);
  };
  return (organisationId, text) => {
    if (!text.startsWith('@')) return hashOf(organisationId, text);
    const name = organisationId + text;
    const known = domains.get(name);
    if (known !== undefined) return known;
    const hash = hashOf(organisationId, text);
    domains.set(name, hash);
    return hash;
  };
}

export type Hash = ReturnType<typeof hasher>;

/** The hashes of an address, or of a domain, under the present secret and under those before it. */
export interface Hashes {
  readonly hash: Hash;
  /** None while no secret is rotated. */
  readonly earlier: (organisationId: string, text: string) => readonly string[];
  /** What organisations' objects may not know yet; null while no secret is rotated. */
  readonly pending: PendingRehashes | null;
}

/** An object may come back from a restore, so the pairs are sent again after this long. */
const CONFIRMED_MS = 10 * MINUTE_MS;
const CONFIRMED_KEPT = 10_000;
/** More than a request hashes, which may block 10,000 addresses of a file. Beyond it the oldest of an object out of reach go. */
const PENDING_MAX = 20_000;

/**
 * While `HASH_SECRET` is rotated, every hash made here is paired with those under the earlier secrets, and the next call of the
 * organisation's object carries the pairs. So no entrance can miss the rows of before, and none has to name them.
 */
export function addressHashes(present: () => Uint8Array, before: readonly Uint8Array[]): Hashes {
  const plain = hasher(present, 'address');
  const hashers = before.map((secret) => hasher(() => secret, 'address'));
  const earlier: Hashes['earlier'] = (organisationId, text) => hashers.map((hash) => hash(organisationId, text));
  if (before.length === 0) return { hash: plain, earlier, pending: null };
  const confirmed = new QuickLRU<string, true>({ maxSize: CONFIRMED_KEPT, maxAge: CONFIRMED_MS });
  const pending = new Map<string, Map<string, Rehash>>();
  return {
    hash: (organisationId, text) => {
      const hash = plain(organisationId, text);
      const names = pending.get(organisationId) ?? new Map<string, Rehash>();
      if (confirmed.has(hash) || names.has(hash)) return hash;
      const [oldest] = names.keys();
      if (names.size >= PENDING_MAX && oldest !== undefined) names.delete(oldest);
      names.set(hash, { hash, earlier: earlier(organisationId, text), isDomain: text.startsWith('@') });
      pending.set(organisationId, names);
      return hash;
    },
    earlier,
    pending: {
      of: (organisationId) => [...(pending.get(organisationId)?.values() ?? [])],
      confirm: (organisationId, rehashes) => {
        const names = pending.get(organisationId);
        for (const { hash } of rehashes) {
          names?.delete(hash);
          confirmed.set(hash, true);
        }
        if (names?.size === 0) pending.delete(organisationId);
      },
    },
  };
}
