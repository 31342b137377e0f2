import QuickLRU from 'quick-lru';
import { deriveKey, hmacHex } from '../kernel/keyed-hash.ts';

/** Derived keys are cached for the busiest organisations. */
const KEYS_KEPT = 1_000;

/** A hash keyed by organisation and use, so that hashes of different organisations or uses can't be compared. */
export function hasher(
  secret: () => Uint8Array,
  use: 'address' | 'identity' | 'processor',
): (organisationId: string, text: string) => string {
  const keys = new QuickLRU<string, Uint8Array>({ maxSize: KEYS_KEPT });
  return (organisationId, text) => {
    let key = keys.get(organisationId);
    if (key === undefined) {
      key = deriveKey(secret(), `${use} hash ${organisationId}`);
      keys.set(organisationId, key);
    }
    return hmacHex(key, text);
  };
}
