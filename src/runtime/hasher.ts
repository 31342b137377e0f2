import QuickLRU from 'quick-lru';
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
