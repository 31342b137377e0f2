import { ROUTES } from '../../contract/routes.ts';
import type { RemoveAddresses, RemoveDomains } from '../../contract/rules.ts';
import { readBatch } from '../../domain/rules/entries.ts';
import type { Rule } from '../../domain/rules/types.ts';
import { type Context, verb } from '../verb.ts';
import { readAddresses, readDomainSubject, removeById, removeByKey } from './lists.ts';

const removeDomains =
  (rule: Rule) =>
  async (context: Context, { body: { domains = [], ids } }: { readonly body: RemoveDomains }) => {
    const name = { kind: 'domain', rule } as const;
    return ids === undefined
      ? removeByKey(context, name, readBatch(domains, readDomainSubject))
      : removeById(context, name, ids);
  };

const removeAddresses =
  (rule: Rule) =>
  async (context: Context, { body }: { readonly body: RemoveAddresses }) => {
    const name = { kind: 'address', rule } as const;
    return body.ids === undefined
      ? removeByKey(context, name, await readAddresses(context, context.admitted.key, body))
      : removeById(context, name, body.ids);
  };

export const unblockDomains = verb({ route: ROUTES.unblockDomains, run: removeDomains('block') });
export const unallowDomains = verb({ route: ROUTES.unallowDomains, run: removeDomains('allow') });
export const unblockAddresses = verb({ route: ROUTES.unblockAddresses, run: removeAddresses('block') });
export const unallowAddresses = verb({ route: ROUTES.unallowAddresses, run: removeAddresses('allow') });
