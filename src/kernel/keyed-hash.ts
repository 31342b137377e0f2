import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES_MIN = 32;

/** 32 or more random bytes in base64. */
export const isSecret = (text: string): boolean => Buffer.from(text, 'base64').length >= SECRET_BYTES_MIN;

/** A secret setting's bytes. Throws when it is too short; the error does not hold the value. */
export function secretBytes(base64: string): Uint8Array {
  if (!isSecret(base64)) throw new Error('a secret needs 32 or more random bytes in base64');
  return new Uint8Array(Buffer.from(base64, 'base64'));
}

/** HKDF-SHA-256 (RFC 5869): a 32-byte key for one use of a secret, named by `info`. */
export const deriveKey = (secret: Uint8Array, info: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), info, 32));

/** HMAC-SHA-256 of a text, 32 bytes. Synchronous: one call costs less than the promise around `crypto.subtle.sign`. */
export const hmac = (key: Uint8Array, text: string): Uint8Array => createHmac('sha256', key).update(text).digest();

/** HMAC-SHA-256 as 64 hex digits. */
export const hmacHex = (key: Uint8Array, text: string): string => createHmac('sha256', key).update(text).digest('hex');

/** HMAC-SHA-256 as base64. */
export const hmacBase64 = (key: Uint8Array, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64');

/** SHA-256 as 64 hex digits. */
export const sha256Hex = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** SHA-256, 32 bytes. */
export const sha256Bytes = (data: string): Uint8Array => createHash('sha256').update(data).digest();

/** Compares in time that depends on the lengths only. */
export function constantTimeEqual(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
