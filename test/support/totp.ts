import { createOTP } from '@better-auth/utils/otp';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The bytes of an authenticator app's key, each as a character. */
export function totpKey(base32: string): string {
  const bits = Array.from(base32.replaceAll(/[\s=]/g, ''), (char) =>
    BASE32.indexOf(char).toString(2).padStart(5, '0'),
  ).join('');
  return (bits.match(/.{8}/g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 2))).join('');
}

/** The code that an authenticator app with this key shows now. */
export const totpCode = (base32: string): Promise<string> => createOTP(totpKey(base32)).totp();
