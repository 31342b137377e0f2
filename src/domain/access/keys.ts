import type { AuditAction } from '../../contract/access.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts';
import { constantTimeEqual, deriveKey, hmac, hmacHex, secretBytes, sha256Bytes } from '../../kernel/crypto.ts';
import { base62Char, base62Width, decodeBase62, encodeBase62 } from '../../kernel/encoding.ts';
import { type Id, idBytes, idFromBytes, parseId, stampUuidV7 } from '../../kernel/ids.ts';

/** An entry of the audit log. No text contains a secret, an address or words a caller chose. */
export interface AuditEntry {
  readonly id: Id<'au'>;
  readonly at: number;
  readonly actor: Actor;
  /** The request's key (a person's dashboard key for the dashboard), or null. */
  readonly keyId: Id<'key'> | null;
  readonly action: AuditAction;
  readonly target: string;
  readonly summary: string;
}

export interface AuditLine extends AuditEntry {
  /** How many rule entries the line counts, or null. */
  readonly entries: number | null;
}

export type AuditNote = Author & Pick<AuditEntry, 'action' | 'target' | 'summary'>;

/** Omitted fields match everything. `from` is inclusive, `to` exclusive, in epoch milliseconds. */
export interface AuditFilter {
  readonly action?: AuditAction | undefined;
  readonly actor?: string | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

export const AUDIT_LIFETIME_MS = 400 * DAY_MS;

/** One actor's changes of rule entries within an hour share a line; a person's line ends with another change. */
export const AUDIT_COUNTED_MS = HOUR_MS;

const RANK: Record<Role, number> = { viewer: 0, member: 1, admin: 2 };

export const roleAllows = (has: Role, needs: Role): boolean => RANK[has] >= RANK[needs];

/** Who made a key: the dashboard (`auto`), a user (`manual`), a machine (`service`). */
export type KeyOrigin = 'auto' | 'manual' | 'service';

/** Manual and service keys below admin see only their own rows; dashboard and admin keys see all. */
export const seesWholeOrganisation = (key: { readonly role: Role; readonly origin: KeyOrigin }): boolean =>
  key.origin === 'auto' || key.role === 'admin';

/**
 * A key: `evk_live_` or `evk_test_`, then in base62 the organisation's reference (22 characters: the UUID of its id),
 * the role (1), 128 random bits (22), the secret's version (1) and 96 bits of HMAC-SHA-256 over all before it (17). The
 * Worker refuses a forged key by its MAC alone; the reference names the object to ask.
 */
export type KeyMode = 'live' | 'test';
export type Role = 'viewer' | 'member' | 'admin';

/** What a key with a valid MAC says about itself. Only the organisation's object knows whether it is revoked. */
export interface KeyClaims {
  readonly organisationId: Id<'org'>;
  readonly mode: KeyMode;
  readonly role: Role;
  /** May call the operator API. */
  readonly operator: boolean;
}

/** A service secret and its derived key, cached per isolate. */
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

/** `secret` is base64, as in the setting. The version character identifies the secret without revealing it. */
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
  return text + macOf(secret, text);
}

/** The claims of a key signed by one of the secrets, else null. No I/O. */
export function readKey(secrets: readonly KeySecret[], key: string): KeyClaims | null {
  const mode = key.startsWith('evk_live_') ? 'live' : key.startsWith('evk_test_') ? 'test' : null;
  if (mode === null || key.length !== KEY_LENGTH) return null;
  const text = key.slice(0, PREFIX + BODY);
  const version = keyVersion(key);
  const signed = secrets.some(
    (secret) => secret.version === version && constantTimeEqual(macOf(secret, text), key.slice(PREFIX + BODY)),
  );
  if (!signed) return null;
  const reference = decodeBase62(key.slice(PREFIX, PREFIX + REFERENCE), 16);
  const grade = GRADES[key.charAt(PREFIX + REFERENCE)];
  return reference && grade ? { organisationId: idFromBytes('org', reference), mode, ...grade } : null;
}

/** The version character of the secret that signed the key. */
export const keyVersion = (key: string): string => key.charAt(PREFIX + BODY - 1);

const macOf = (secret: KeySecret, text: string): string =>
  encodeBase62(hmac(secret.macKey, text).subarray(0, MAC_BYTES));

const sameGrade = (grade: Pick<KeyClaims, 'role' | 'operator'> | undefined, claims: KeyClaims): boolean =>
  grade?.role === claims.role && grade.operator === claims.operator;

/** Who acts: a person, a key without one, or the operator. */
export type Actor = Id<'u'> | Id<'key'> | 'operator';

/** A key as stored, by its hash alone. Times in epoch milliseconds. */
export interface KeyRecord {
  readonly id: Id<'key'>;
  /** SHA-256 of the key, hex. A person's dashboard key has no secret, so its hash matches no text. */
  readonly hash: string;
  readonly last4: string;
  readonly name: string;
  readonly role: Role;
  readonly mode: KeyMode;
  readonly origin: KeyOrigin;
  readonly operator: boolean;
  /** The person it belongs to, who must be a member; null for a service key. */
  readonly userId: Id<'u'> | null;
  readonly secretVersion: string;
  readonly createdAt: number;
  readonly createdBy: Actor;
  /** Null means it does not expire. */
  readonly expiresAt: number | null;
  /** The secret before the last rotation, valid until `previousUntil`. */
  readonly previousHash: string | null;
  readonly previousLast4: string | null;
  readonly previousUntil: number | null;
  readonly revokedAt: number | null;
}

/** A key as listed, with the hour of its last request, and of the last with the previous secret. */
export type ListedKey = KeyRecord & { readonly lastUsedAt: number | null; readonly previousUsedAt: number | null };

export type KeyIdentity = Pick<KeyRecord, 'id' | 'name' | 'role' | 'mode' | 'origin' | 'operator' | 'userId'>;

export const actorOf = ({ id, userId }: Pick<KeyRecord, 'id' | 'userId'>): Actor => userId ?? id;

/** Who makes a change, with which key. Without a key: the operator, or a person who joins. */
export interface Author {
  readonly actor: Actor;
  readonly keyId?: Id<'key'> | null | undefined;
}

export const authorOf = (key: Pick<KeyRecord, 'id' | 'userId'>): Author => ({ actor: actorOf(key), keyId: key.id });

/** A hash for a person's dashboard key that equals no SHA-256. */
export const dashboardHash = (id: Id<'key'>): string => `dashboard ${id}`;

export const isDashboardKey = ({ id, hash }: Pick<KeyRecord, 'id' | 'hash'>): boolean => hash === dashboardHash(id);

export const NEVER_ROTATED = { previousHash: null, previousLast4: null, previousUntil: null } as const;

/** Omitted fields match every key. `ended`: revoked or expired. */
export interface KeyFilter {
  readonly state?: 'active' | 'ended' | undefined;
  readonly role?: KeyRecord['role'] | undefined;
  readonly mode?: KeyRecord['mode'] | undefined;
}

/** Keys of an organisation that are not revoked. */
export const KEYS_MAX = 1_000;

/**
 * The key whose rows `key` sees when it asks for those of `asked`; null means all keys' rows. A key that may not see
 * the whole organisation sees its own rows or none.
 */
export function writtenBy(key: KeyIdentity, asked: string | undefined): Id<'key'> | null | 'none' {
  const mine = seesWholeOrganisation(key) ? null : key.id;
  if (asked === undefined) return mine;
  const wanted = parseId('key', asked);
  return wanted === null || (mine !== null && wanted !== mine) ? 'none' : wanted;
}

/**
 * Proof of holding the service secret, for the one call that makes the first operator key: `evb_<milliseconds>_<HMAC>`.
 * Valid once, within five minutes.
 */
const LIFETIME_MS = 5 * MINUTE_MS;

/** `serviceSecret` is base64, as in the setting. */
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

/** The id of the key that the token makes. If that key exists, the token is used up. */
export function bootstrapKeyId(token: string): Id<'key'> {
  const at = Number(token.split('_')[1]);
  return idFromBytes('key', stampUuidV7(sha256Bytes(token).slice(0, 16), at));
}
