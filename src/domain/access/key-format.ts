import { constantTimeEqual, deriveKey, hmac, secretBytes } from '../../kernel/crypto.ts';
import { base62Char, base62Width, decodeBase62, encodeBase62 } from '../../kernel/encoding.ts';
import { type Id, idBytes, idFromBytes } from '../../kernel/ids.ts';

/**
 * A key: `evk_live_` or `evk_test_`, then the organisation's reference (22 characters: the UUID inside its id), the role
 * (1), 128 random bits (22), the secret's version (1) and 96 bits of HMAC-SHA-256 over all before it (17), in base62.
 * The Worker refuses a malformed or forged key by its MAC alone; the reference names the object to ask.
 */
export type KeyMode = 'live' | 'test';
export type Role = 'viewer' | 'member' | 'admin';

/** What a key says about itself once its MAC is checked. Only the organisation's object knows whether it is revoked. */
export interface KeyClaims {
  readonly organisationId: Id<'org'>;
  readonly mode: KeyMode;
  readonly role: Role;
  /** The key may call the operator API. */
  readonly operator: boolean;
}

/** A service secret and the key derived from it once per isolate. */
export interface KeySecret {
  readonly macKey: Uint8Array;
  readonly version: string;
}

const GRADES: Record<string, Pick<KeyClaims, 'role' | 'operator'>> = {
  v: { role: 'viewer', operator: false },
  m: { role: 'member', operator: false },
  a: { role: 'admin', operator: false },
  o: { role: 'admin', operator: true },
};

const MAC_BYTES = 12;
const REFERENCE = base62Width(16);
const BODY = REFERENCE + 1 + base62Width(16) + 1;
const MAC = base62Width(MAC_BYTES);
const PREFIX = 'evk_live_'.length;
const KEY_LENGTH = PREFIX + BODY + MAC;

/** `secret` as the setting holds it (base64). The version character names the secret without revealing it. */
export function keySecret(secret: string): KeySecret {
  const bytes = secretBytes(secret);
  const macKey = deriveKey(bytes, 'api key mac');
  return { macKey, version: base62Char(deriveKey(bytes, 'api key version')[0] ?? 0) };
}

export function issueKey(secret: KeySecret, claims: KeyClaims, random: Uint8Array): string {
  const grade = Object.keys(GRADES).find((char) => sameGrade(GRADES[char], claims));
  if (grade === undefined || random.length !== 16) throw new Error('a key needs a known role and 128 random bits');
  const reference = encodeBase62(idBytes(claims.organisationId));
  const text = `evk_${claims.mode}_${reference}${grade}${encodeBase62(random)}${secret.version}`;
  return text + mac(secret, text);
}

/** The claims of a key that one of the secrets signed; null when it is malformed or forged. No look-up, no I/O. */
export function readKey(secrets: readonly KeySecret[], key: string): KeyClaims | null {
  const mode = key.startsWith('evk_live_') ? 'live' : key.startsWith('evk_test_') ? 'test' : null;
  if (mode === null || key.length !== KEY_LENGTH) return null;
  const text = key.slice(0, PREFIX + BODY);
  const version = keyVersion(key);
  const signed = secrets.some(
    (secret) => secret.version === version && constantTimeEqual(mac(secret, text), key.slice(PREFIX + BODY)),
  );
  if (!signed) return null;
  const reference = decodeBase62(key.slice(PREFIX, PREFIX + REFERENCE), 16);
  const grade = GRADES[key.charAt(PREFIX + REFERENCE)];
  return reference && grade ? { organisationId: idFromBytes('org', reference), mode, ...grade } : null;
}

/** The character that names the secret the key was signed with. */
export const keyVersion = (key: string): string => key.charAt(PREFIX + BODY - 1);

const mac = (secret: KeySecret, text: string): string => encodeBase62(hmac(secret.macKey, text).subarray(0, MAC_BYTES));

const sameGrade = (grade: Pick<KeyClaims, 'role' | 'operator'> | undefined, claims: KeyClaims): boolean =>
  grade?.role === claims.role && grade.operator === claims.operator;
