import QuickLRU from 'quick-lru';
import { type Clock, SECOND_MS } from '../kernel/clock.ts';
import { deriveKey, hmacHex } from '../kernel/crypto.ts';

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

/** A key that the object has refused is refused without asking it again for this long. */
const REFUSED_MS = 5 * SECOND_MS;

export interface KeyMemory<T> {
  readonly read: (key: string) => T | null;
  /** The object has refused the key: revoked, expired, or of a deleted organisation. */
  readonly refuse: (key: string) => void;
}

/**
 * Remembers the keys whose MAC was right: to check one takes a fifth of a request's time. It says what a key claims; whether the key
 * is alive only the organisation's object knows, and its refusals alone are remembered for a while. Forged keys are never kept.
 */
export function keyMemory<T extends object>(read: (key: string) => T | null, now: Clock): KeyMemory<T> {
  const memory = new QuickLRU<string, T>({ maxSize: KEYS_KEPT });
  const refused = new QuickLRU<string, number>({ maxSize: KEYS_KEPT });
  return {
    read: (key) => {
      if ((refused.get(key) ?? 0) > now()) return null;
      const known = memory.get(key);
      if (known !== undefined) return known;
      const claims = read(key);
      if (claims !== null) memory.set(key, claims);
      return claims;
    },
    refuse: (key) => void refused.set(key, now() + REFUSED_MS),
  };
}
