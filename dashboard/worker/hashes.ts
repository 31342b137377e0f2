const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(new TextEncoder().encode(text));

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** SHA-256, hex, for random tokens. */
export const hashToken = async (token: string): Promise<string> =>
  hex(await crypto.subtle.digest('SHA-256', bytesOf(token)));

/** HMAC-SHA-256 under the secret, hex, for guessable texts. */
export const keyedHash =
  (secret: string) =>
  async (text: string): Promise<string> => {
    const key = await crypto.subtle.importKey(
      'raw',
      bytesOf(`rates ${secret}`),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign'],
    );
    return hex(await crypto.subtle.sign('HMAC', key, bytesOf(text)));
  };
