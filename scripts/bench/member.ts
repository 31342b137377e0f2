import { type KeyRecord, NEVER_ROTATED } from '../../src/domain/access/key-record.ts';
import type { OrganisationSettings } from '../../src/domain/metering/organisation-settings.ts';
import { DEFAULT_LIMITS } from '../../src/domain/metering/usage.ts';
import { type Id, newId } from '../../src/kernel/ids.ts';
import type { AdmitRequest } from '../../src/organisation/api.ts';

/** An organisation without limits, but for what it may ask in a minute. */
export const settingsOf = (id: Id<'org'>, now: number, ratePerMinute = 1e9): OrganisationSettings => ({
  id,
  accountId: newId('acct', now),
  name: 'bench',
  limits: { ...DEFAULT_LIMITS, verificationQuota: 0, screeningAllowance: 0, ratePerMinute },
  privacy: null,
  alerts: null,
  createdAt: now,
  version: 1,
});

/** A member's live key. */
export const keyOf = (now: number, secret: Pick<KeyRecord, 'hash' | 'last4' | 'secretVersion'>): KeyRecord => ({
  ...secret,
  id: newId('key', now),
  name: 'bench',
  role: 'member',
  mode: 'live',
  origin: 'auto',
  operator: false,
  userId: null,
  createdAt: now,
  createdBy: 'operator',
  expiresAt: null,
  ...NEVER_ROTATED,
  revokedAt: null,
});

const NOW = Date.now();
const KEY_HASH = 'a'.repeat(64);

export const memberSettings = settingsOf(newId('org', NOW), NOW);
export const memberKey = keyOf(NOW, { hash: KEY_HASH, last4: 'abcd', secretVersion: 'Q' });

/** What a verification asks of the object. */
export const verification: AdmitRequest = {
  operationId: '',
  traceId: '',
  keyHash: KEY_HASH,
  role: 'member',
  operator: false,
  rate: 'verify',
  meter: 'verify',
  probe: { addressHash: null, domain: 'acme.example' },
  bodyHash: null,
  holdMs: 10_000,
  faulty: false,
};
