import { issueKey, type KeyClaims, keySecret, keyVersion } from '../../src/domain/access/key-format.ts';
import { type Id, newId, systemRandom } from '../../src/kernel/ids.ts';
import { sha256Hex } from '../../src/kernel/keyed-hash.ts';
import type { OrganisationStub } from '../../src/organisation/api.ts';
import { keyOf, settingsOf } from './member.ts';
import { type BenchRuntime, SERVICE_SECRET } from './runtime.ts';

/** Where an object of an organisation is: the binding, and the Worker that has it. */
type Place = readonly [binding: string, worker: string];
const SERVICE: Place = ['ORGANISATION', 'service'];

/** An organisation of the service without limits, but for what it may ask in a minute, and a member's key to it. */
export async function createOrganisation(runtime: BenchRuntime, ratePerMinute?: number) {
  const id = newId('org', Date.now());
  const claims: KeyClaims = { organisationId: id, mode: 'live', role: 'member', operator: false };
  const random = new Uint8Array(16);
  systemRandom(random);
  const key = issueKey(keySecret(SERVICE_SECRET), claims, random);
  const organisation = { id, key, keyHash: sha256Hex(key) };
  return { ...organisation, object: await fillObject(runtime, SERVICE, organisation, ratePerMinute) };
}

/** The object at a place, with the organisation and its key. */
export async function fillObject(
  { miniflare }: BenchRuntime,
  [binding, worker]: Place,
  { id, key, keyHash }: { readonly id: Id<'org'>; readonly key: string; readonly keyHash: string },
  ratePerMinute?: number,
): Promise<OrganisationStub> {
  const now = Date.now();
  const namespace = await miniflare.getDurableObjectNamespace(binding, worker);
  const object = namespace.getByName(id) as unknown as OrganisationStub;
  await object.create(settingsOf(id, now, ratePerMinute));
  await object.insertKey(keyOf(now, { hash: keyHash, last4: key.slice(-4), secretVersion: keyVersion(key) }));
  return object;
}
