import { ROUTES } from '../../contract/routes.ts';
import type { AddAddresses, AddDomains } from '../../contract/rules.ts';
import { readBatch } from '../../domain/rules/entries.ts';
import type { Rule } from '../../domain/rules/types.ts';
import { type Context, verb } from '../verb.ts';
import { addRules, readAddresses, readDomainSubject } from './lists.ts';

const addDomains =
  (rule: Rule) =>
  (context: Context, { body: { domains, note } }: { readonly body: AddDomains }) =>
    addRules(context, { kind: 'domain', rule }, readBatch(domains, readDomainSubject), note);

const addAddresses =
  (rule: Rule) =>
  async (context: Context, { body }: { readonly body: AddAddresses }) =>
    addRules(context, { kind: 'address', rule }, await readAddresses(context, context.admitted.key, body), body.note);

/** An entry that comes to one list leaves the other. */
export const blockDomains = verb({ route: ROUTES.blockDomains, run: addDomains('block') });
export const allowDomains = verb({ route: ROUTES.allowDomains, run: addDomains('allow') });
export const blockAddresses = verb({ route: ROUTES.blockAddresses, run: addAddresses('block') });
export const allowAddresses = verb({ route: ROUTES.allowAddresses, run: addAddresses('allow') });
