import { issueKey, type KeyClaims, keySecret, keyVersion } from '../../src/domain/access/key-format.ts';
import { newId, systemRandom } from '../../src/kernel/ids.ts';
import { sha256Hex } from '../../src/kernel/keyed-hash.ts';
import type { OrganisationStub } from '../../src/organisation/api.ts';
import { keyOf, settingsOf } from './member.ts';
import { type BenchRuntime, SERVICE_SECRET } from './runtime.ts';

/** An organisation of the service without limits, but for what it may ask in a minute, and a member's key to it. */
export async function createOrganisation({ miniflare }: BenchRuntime, ratePerMinute?: number) {
  const now = Date.now();
  const id = newId('org', now);
  const claims: KeyClaims = { organisationId: id, mode: 'live', role: 'member', operator: false };
  const random = new Uint8Array(16);
  systemRandom(random);
  const key = issueKey(keySecret(SERVICE_SECRET), claims, random);
  const keyHash = sha256Hex(key);

  const namespace = await miniflare.getDurableObjectNamespace('ORGANISATION', 'service');
  const object = namespace.getByName(id) as unknown as OrganisationStub;
  await object.create(settingsOf(id, now, ratePerMinute));
  await object.insertKey(keyOf(now, { hash: keyHash, last4: key.slice(-4), secretVersion: keyVersion(key) }));
  return { id, key, keyHash, object };
}
