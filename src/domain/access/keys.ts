import type { AuditAction } from '../../contract/access.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts';
import { constantTimeEqual, deriveKey, hmac, hmacHex, secretBytes, sha256Bytes } from '../../kernel/crypto.ts';
import { base62Char, base62Width, decodeBase62, encodeBase62 } from '../../kernel/encoding.ts';
import { type Id, idBytes, idFromBytes, parseId, stampUuidV7 } from '../../kernel/ids.ts';

/** Who changed what. Neither text holds a secret, an address, or words that a caller chose. */
export interface AuditEntry {
  readonly id: Id<'au'>;
  readonly at: number;
  readonly actor: Actor;
  /** The key that the request came with; a person's dashboard key for one from the dashboard. Null: none. */
  readonly keyId: Id<'key'> | null;
  readonly action: AuditAction;
  /** The id or name of what was changed. */
  readonly target: string;
  readonly summary: string;
}

/** A line as it is kept. */
export interface AuditLine extends AuditEntry {
  /** How many entries of rule lists the line counts; null means it counts none. */
  readonly entries: number | null;
}

export type AuditNote = Author & Pick<AuditEntry, 'action' | 'target' | 'summary'>;

/** Left out: every one. Times are epoch milliseconds: from the first on, and before the second. */
export interface AuditFilter {
  readonly action?: AuditAction | undefined;
  readonly actor?: string | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

export const AUDIT_LIFETIME_MS = 400 * DAY_MS;

/** Entries of rule lists that one actor puts on a list, or takes off it, stand in one line an hour; a person’s until another change. */
export const AUDIT_COUNTED_MS = HOUR_MS;

const RANK: Record<Role, number> = { viewer: 0, member: 1, admin: 2 };

/** Whether a key of role `has` may do what needs `needs`. */
export const roleAllows = (has: Role, needs: Role): boolean => RANK[has] >= RANK[needs];

/** How a key came to be: the dashboard (`auto`), a user (`manual`), a machine (`service`). */
export type KeyOrigin = 'auto' | 'manual' | 'service';

/** Manual and service keys below admin read only the rows they wrote; dashboard and admin keys read the whole organisation. */
export const seesWholeOrganisation = (key: { readonly role: Role; readonly origin: KeyOrigin }): boolean =>
  key.origin === 'auto' || key.role === 'admin';

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
  return text + macOf(secret, text);
}

/** The claims of a key that one of the secrets signed; null when it is malformed or forged. No look-up, no I/O. */
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

/** The character that names the secret the key was signed with. */
export const keyVersion = (key: string): string => key.charAt(PREFIX + BODY - 1);

const macOf = (secret: KeySecret, text: string): string =>
  encodeBase62(hmac(secret.macKey, text).subarray(0, MAC_BYTES));

const sameGrade = (grade: Pick<KeyClaims, 'role' | 'operator'> | undefined, claims: KeyClaims): boolean =>
  grade?.role === claims.role && grade.operator === claims.operator;

/** Who does something: a person, a key that belongs to none, or who runs the service. */
export type Actor = Id<'u'> | Id<'key'> | 'operator';

/** A key as it is kept, by its hash alone. Times in epoch milliseconds. */
export interface KeyRecord {
  readonly id: Id<'key'>;
  /** SHA-256 of the key, hex. A person's dashboard key has no secret, and a hash that no text has. */
  readonly hash: string;
  readonly last4: string;
  readonly name: string;
  readonly role: Role;
  readonly mode: KeyMode;
  readonly origin: KeyOrigin;
  readonly operator: boolean;
  /** The person it belongs to, whose membership it needs; null for a service key. */
  readonly userId: Id<'u'> | null;
  /** Names the service secret that signed it. */
  readonly secretVersion: string;
  readonly createdAt: number;
  readonly createdBy: Actor;
  /** Refused from then on; null means it does not expire. */
  readonly expiresAt: number | null;
  /** The secret before the last rotation, which is good until `previousUntil`. */
  readonly previousHash: string | null;
  readonly previousLast4: string | null;
  readonly previousUntil: number | null;
  readonly revokedAt: number | null;
}

/** A key as a list shows it. Hours of the last request: with either secret, and with the one before the last rotation. */
export type ListedKey = KeyRecord & { readonly lastUsedAt: number | null; readonly previousUsedAt: number | null };

/** What a request may know of its own key. */
export type KeyIdentity = Pick<KeyRecord, 'id' | 'name' | 'role' | 'mode' | 'origin' | 'operator' | 'userId'>;

/** The person whose key it is, else the key. */
export const actorOf = ({ id, userId }: Pick<KeyRecord, 'id' | 'userId'>): Actor => userId ?? id;

/** Who makes a change, and with which key. No key: who runs the service, or a person who joins. */
export interface Author {
  readonly actor: Actor;
  readonly keyId?: Id<'key'> | null | undefined;
}

export const authorOf = (key: Pick<KeyRecord, 'id' | 'userId'>): Author => ({ actor: actorOf(key), keyId: key.id });

/** The hash of a person's dashboard key, which has no secret: no SHA-256 is like it. */
export const dashboardHash = (id: Id<'key'>): string => `dashboard ${id}`;

export const isDashboardKey = ({ id, hash }: Pick<KeyRecord, 'id' | 'hash'>): boolean => hash === dashboardHash(id);

/** For a key whose secret was never replaced. */
export const NEVER_ROTATED = { previousHash: null, previousLast4: null, previousUntil: null } as const;

/** Left out: every key. `ended`: revoked, or out of time. */
export interface KeyFilter {
  readonly state?: 'active' | 'ended' | undefined;
  readonly role?: KeyRecord['role'] | undefined;
  readonly mode?: KeyRecord['mode'] | undefined;
}

/** Keys of an organisation that are not revoked. */
export const KEYS_MAX = 1_000;

/**
 * The key whose rows are shown to `key` when it asks for those of `asked`; null means the rows of all keys. A key that may not
 * see the whole organisation sees its own rows or none.
 */
export function writtenBy(key: KeyIdentity, asked: string | undefined): Id<'key'> | null | 'none' {
  const mine = seesWholeOrganisation(key) ? null : key.id;
  if (asked === undefined) return mine;
  const wanted = parseId('key', asked);
  return wanted === null || (mine !== null && wanted !== mine) ? 'none' : wanted;
}

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
