import { sha256Hex } from '../../src/kernel/crypto.ts';
import type { OrganisationRpc } from '../../src/organisation/api.ts';
import { type ExchangeInput, openExchange } from '../../src/services/object-exchange.ts';
import { createTestOrganisation, type TestOrganisation } from './organisation.ts';
import { keyRecord, START_MS } from './records.ts';

const KEY = 'evk_live_member';

/** The fate of a call to the object. */
export type CallEnd = 'not sent' | 'answer lost' | 'served';

/** An organisation that knows the key requests are made with. */
export async function createKnown(limits: object = {}): Promise<TestOrganisation> {
  const organisation = await createTestOrganisation(limits);
  await organisation.object.insertKey(keyRecord({ hash: sha256Hex(KEY) }));
  return organisation;
}

/** A verification's exchange with a real object. `ends`: the fate of its first calls; the others are served. */
export function openUnreliable(
  organisation: TestOrganisation,
  traceId: `vr_${string}`,
  ends: readonly CallEnd[],
  idempotency: ExchangeInput['idempotency'] = null,
) {
  const [calls, left, deferred]: [string[], CallEnd[], Promise<unknown>[]] = [[], [...ends], []];
  const stub = new Proxy(organisation.object, {
    get: (object, name: string) => async (input: never, second: never) => {
      calls.push(name);
      const end = left.shift() ?? 'served';
      const answer = end === 'not sent' ? null : await object[name as 'reverse'](input, second);
      if (end !== 'served') throw new Error('out of reach');
      return answer;
    },
  }) as unknown as OrganisationRpc;
  const exchange = openExchange(
    {
      objects: { stub: () => stub, now: Date.now, counters: { add: () => undefined } },
      newDomains: { isNew: () => false, drop: () => undefined },
      refuseKey: () => undefined,
    },
    {
      caller: {
        key: KEY,
        keyHash: sha256Hex(KEY),
        organisationId: organisation.settings.id,
        mode: 'live',
        role: 'member',
        operator: false,
      },
      traceId,
      startedAt: START_MS,
      needs: { role: 'member', operator: false, rate: 'verify', meter: 'verify' },
      servesUnreached: true,
      idempotency,
      defer: (work) => deferred.push(work),
    },
  );
  return { exchange, calls, deferred };
}
