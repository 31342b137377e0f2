import QuickLRU from 'quick-lru';
import { deriveKey, hmacHex } from '../kernel/keyed-hash.ts';

/** Keys are derived once an organisation and use, and kept for the busiest. */
const KEYS_KEPT = 1_000;

/** A keyed hash whose key belongs to one organisation and one use, so that hashes tell nothing across either. */
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
