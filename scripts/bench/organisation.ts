import { issueKey, type KeyClaims, keySecret, keyVersion } from '../../src/domain/access/key-format.ts';
import { NEVER_ROTATED } from '../../src/domain/access/key-record.ts';
import { DEFAULT_LIMITS } from '../../src/domain/metering/usage.ts';
import { newId, systemRandom } from '../../src/kernel/ids.ts';
import { sha256Hex } from '../../src/kernel/keyed-hash.ts';
import type { OrganisationStub } from '../../src/organisation/api.ts';
import { type BenchRuntime, SERVICE_SECRET } from './runtime.ts';

/** An organisation of the service without limits, and a member's key to it. */
export async function createOrganisation({ miniflare }: BenchRuntime) {
  const now = Date.now();
  const id = newId('org', now);
  const claims: KeyClaims = { organisationId: id, mode: 'live', role: 'member', operator: false };
  const random = new Uint8Array(16);
  systemRandom(random);
  const key = issueKey(keySecret(SERVICE_SECRET), claims, random);
  const keyHash = sha256Hex(key);

  const namespace = await miniflare.getDurableObjectNamespace('ORGANISATION', 'service');
  const object = namespace.getByName(id) as unknown as OrganisationStub;
  const limits = { ...DEFAULT_LIMITS, verificationQuota: 0, screeningAllowance: 0, ratePerMinute: 1e9 };
  await object.create({
    id,
    accountId: newId('acct', now),
    name: 'bench',
    limits,
    privacy: null,
    alerts: null,
    createdAt: now,
    version: 1,
  });
  await object.insertKey({
    id: newId('key', now),
    hash: keyHash,
    last4: key.slice(-4),
    name: 'bench',
    role: 'member',
    mode: 'live',
    origin: 'auto',
    operator: false,
    userId: null,
    secretVersion: keyVersion(key),
    createdAt: now,
    createdBy: null,
    expiresAt: null,
    ...NEVER_ROTATED,
    revokedAt: null,
  });
  return { id, key, keyHash, object };
}
