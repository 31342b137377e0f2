import { createPublicKey, type KeyObject, verify, X509Certificate } from 'node:crypto';

/** A key that checks signatures: RSA (PKCS #1 v1.5) or ECDSA (DER), by the key's own kind. */
export type PublicKey = KeyObject;

/** A public key as base64 of its SPKI (RFC 5280). Null: it is none. */
export function readPublicKey(base64: string): PublicKey | null {
  try {
    return createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}

/** The key of a certificate (PEM) that is valid now. Null: it is none, or out of its time. */
export function readCertificate(pem: string, nowMs: number): PublicKey | null {
  try {
    const { validFrom, validTo, publicKey } = new X509Certificate(pem);
    return Date.parse(validFrom) <= nowMs && nowMs <= Date.parse(validTo) ? publicKey : null;
  } catch {
    return null;
  }
}

/** Whether a signature (base64) of a text is the key's. A malformed signature is false. */
export function isSignatureOf(key: PublicKey, hash: 'sha1' | 'sha256', text: string, signature: string): boolean {
  try {
    return verify(hash, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}
