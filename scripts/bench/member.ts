import { type KeyRecord, NEVER_ROTATED } from '../../src/domain/access/key-record.ts';
import type { OrganisationSettings } from '../../src/domain/metering/organisation-settings.ts';
import { DEFAULT_LIMITS } from '../../src/domain/metering/usage.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { AdmitRequest } from '../../src/organisation/api.ts';

const NOW = Date.now();
const KEY_HASH = 'a'.repeat(64);
/** An organisation without limits. */
export const memberSettings: OrganisationSettings = {
  id: newId('org', NOW),
  accountId: newId('acct', NOW),
  name: 'bench',
  limits: { ...DEFAULT_LIMITS, verificationQuota: 0, ratePerMinute: 1e9 },
  privacy: null,
  alerts: null,
  createdAt: NOW,
  version: 1,
};
/** A member's key of it. */
export const memberKey: KeyRecord = {
  id: newId('key', NOW),
  hash: KEY_HASH,
  last4: 'abcd',
  name: 'bench',
  role: 'member',
  mode: 'live',
  origin: 'auto',
  operator: false,
  userId: null,
  secretVersion: 'Q',
  createdAt: NOW,
  createdBy: null,
  expiresAt: null,
  ...NEVER_ROTATED,
  revokedAt: null,
};
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
  faulty: false,
};
