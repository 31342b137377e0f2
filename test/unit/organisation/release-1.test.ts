import { afterEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { type BulkPort, callObject } from '../../../src/organisation/api.ts';
import { BULK_CALLS } from '../../../src/organisation/release-1.ts';
import { stubNeon } from '../../support/fake-neon.ts';
import { createTestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';

afterEach(() => vi.restoreAllMocks());

const CALLS = Object.entries(BULK_CALLS);

describe('while release 1 is deployed beside this one', () => {
  it.each(CALLS)('its Worker’s `bulk({ do: %j })` is answered by %s', async (name, method) => {
    stubNeon();
    const { object } = await createTestOrganisation();
    const answered = vi.spyOn(object, method).mockResolvedValue('answer' as never);
    const call = { v: 1, do: name, id: 'bj_1' } as never;
    expect(await object.bulk(call)).toBe('answer');
    expect(answered).toHaveBeenCalledExactlyOnceWith(call);
  });

  it.each(CALLS)('its object is asked by `bulk({ do: %j })` for %s', async (name, method) => {
    const asked: object[] = [];
    const unknown = () => Promise.reject(new TypeError(`The RPC receiver does not implement the method "${method}".`));
    const stub = {
      [method]: unknown,
      bulk: async (call: object) => {
        asked.push(call);
        return 'answer';
      },
    } as unknown as BulkPort;
    const deps = { stub: () => stub, now: () => START_MS, counters: { add: () => undefined } };
    const call = { id: 'bj_1' } as never;
    const answer = await callObject(deps, newId('org', START_MS))[method](call);
    expect(answer).toEqual({ ok: true, value: 'answer' });
    expect(asked).toEqual([{ v: 1, do: name, id: 'bj_1' }]);
  });
});
