import { MINUTE_MS } from '../../kernel/clock.ts';
import { constantTimeEqual, deriveKey, hmacHex, secretBytes, sha256Bytes } from '../../kernel/crypto.ts';
import { type Id, idFromBytes, stampUuidV7 } from '../../kernel/ids.ts';

/**
 * Proof of holding the service secret, for the one call that makes the first operator key: `evb_<milliseconds>_<HMAC>`.
 * It is good once, within five minutes of its time.
 */
const LIFETIME_MS = 5 * MINUTE_MS;

/** `serviceSecret` as the setting holds it (base64). */
export function mintBootstrapToken(serviceSecret: string, nowMs: number): string {
  return `evb_${nowMs}_${hmacHex(deriveKey(secretBytes(serviceSecret), 'operator bootstrap'), String(nowMs))}`;
}

export function isBootstrapToken(serviceSecret: string, token: string, nowMs: number): boolean {
  const [prefix, time, mac] = token.split('_');
  const at = Number(time);
  if (prefix !== 'evb' || mac === undefined || !Number.isSafeInteger(at) || String(at) !== time) return false;
  const expected = mintBootstrapToken(serviceSecret, at);
  return constantTimeEqual(expected, token) && Math.abs(nowMs - at) <= LIFETIME_MS;
}

/** The id of the key that the token makes. A key with this id shows that the token is used up. */
export function bootstrapKeyId(token: string): Id<'key'> {
  const at = Number(token.split('_')[1]);
  return idFromBytes('key', stampUuidV7(sha256Bytes(token).slice(0, 16), at));
}
