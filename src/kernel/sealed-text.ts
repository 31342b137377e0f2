const IV_BYTES = 12;

const encode = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(new TextEncoder().encode(text));
const importKey = (key: Uint8Array): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', Uint8Array.from(key), 'AES-GCM', false, ['encrypt', 'decrypt']);

/** AES-256-GCM in base64. Opens only with the same key and for the same `owner`, whose name it does not hold. */
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
