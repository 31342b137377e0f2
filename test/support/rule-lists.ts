import { expect } from 'vitest';
import { RulesAdded, RulesRemoved } from '../../src/contract/rules.ts';
import type { startService } from './service.ts';

export type ListName = 'blocklist' | 'allowlist';

/** A new organisation and its rule lists of one kind; every call is answered with 200. */
export async function openRuleLists(service: Awaited<ReturnType<typeof startService>>, kind: 'addresses' | 'domains') {
  const organisation = await service.createOrganisation();
  const { member } = organisation.keys;
  const call = async (method: string, path: string, key: string, body?: unknown) => {
    const answer = await service.call(method, `/v1/${kind}/${path}`, key, body);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body;
  };
  return {
    ...organisation,
    call,
    add: async (list: ListName, body: object, key = member) =>
      RulesAdded.strict().parse(await call('POST', list, key, body)),
    remove: async (list: ListName, body: object, key = member) =>
      RulesRemoved.strict().parse(await call('DELETE', list, key, body)),
  };
}
