import {
  createHash,
  createHmac,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
  verify,
  X509Certificate,
} from 'node:crypto';

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

export const hmacHex = (key: Uint8Array, text: string): string => createHmac('sha256', key).update(text).digest('hex');

export const hmacBase64 = (key: Uint8Array, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64');

export const sha256Hex = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

export const sha256Bytes = (data: string): Uint8Array => createHash('sha256').update(data).digest();

/** Takes time that depends on the lengths alone. */
export function constantTimeEqual(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

const IV_BYTES = 12;

const encode = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(new TextEncoder().encode(text));
const importKey = (key: Uint8Array): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', Uint8Array.from(key), 'AES-GCM', false, ['encrypt', 'decrypt']);

/** AES-256-GCM in base64. Opens only with the same key and `owner`, and does not contain the owner's name. */
export async function sealText(key: Uint8Array, owner: string, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const algorithm = { name: 'AES-GCM', iv, additionalData: encode(owner) };
  const sealed = await crypto.subtle.encrypt(algorithm, await importKey(key), encode(text));
  return Buffer.concat([iv, new Uint8Array(sealed)]).toString('base64');
}

/** Rejects text that was sealed for another owner or key, or changed since. */
export async function openSealed(key: Uint8Array, owner: string, sealed: string): Promise<string> {
  const bytes = Uint8Array.from(Buffer.from(sealed, 'base64'));
  const algorithm = { name: 'AES-GCM', iv: bytes.subarray(0, IV_BYTES), additionalData: encode(owner) };
  return new TextDecoder().decode(
    await crypto.subtle.decrypt(algorithm, await importKey(key), bytes.subarray(IV_BYTES)),
  );
}

/** RSA (PKCS #1 v1.5) or ECDSA (DER), by the key's own kind. */
export type PublicKey = KeyObject;

/** A public key from base64 SPKI (RFC 5280), or null. */
export function readPublicKey(base64: string): PublicKey | null {
  try {
    return createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}

/** The key of a PEM certificate within its validity, else null. */
export function readCertificate(pem: string, nowMs: number): PublicKey | null {
  try {
    const { validFrom, validTo, publicKey } = new X509Certificate(pem);
    return Date.parse(validFrom) <= nowMs && nowMs <= Date.parse(validTo) ? publicKey : null;
  } catch {
    return null;
  }
}

/** Verifies a base64 signature. A malformed one is false. */
export function isSignatureOf(key: PublicKey, hash: 'sha1' | 'sha256', text: string, signature: string): boolean {
  try {
    return verify(hash, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

/** A webhook as received: signatures cover the body byte for byte. */
export interface SignedBody {
  /** The headers its route declares; null where one is missing. */
  readonly headers: Readonly<Record<string, string | null>>;
  readonly body: string;
}
