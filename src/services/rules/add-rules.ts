import { ROUTES } from '../../contract/routes.ts';
import type { AddAddresses, AddDomains } from '../../contract/rules.ts';
import type { Rule } from '../../domain/rules/types.ts';
import { type Context, verb } from '../verb.ts';
import { addEntries } from './add-entries.ts';
import { readAddresses, readDomains } from './rule-subjects.ts';

/** One use case at four routes: an entry that comes to one list leaves the other of its kind. */
export const blockDomains = verb({ route: ROUTES.blockDomains, run: addDomains('block') });
export const allowDomains = verb({ route: ROUTES.allowDomains, run: addDomains('allow') });
export const blockAddresses = verb({ route: ROUTES.blockAddresses, run: addAddresses('block') });
export const allowAddresses = verb({ route: ROUTES.allowAddresses, run: addAddresses('allow') });

function addDomains(rule: Rule) {
  return (context: Context, { body: { domains, note } }: { readonly body: AddDomains }) =>
    addEntries(context, { kind: 'domain', rule }, readDomains(domains), note);
}

function addAddresses(rule: Rule) {
  return async (context: Context, { body }: { readonly body: AddAddresses }) =>
    addEntries(context, { kind: 'address', rule }, await readAddresses(context, body), body.note);
}
