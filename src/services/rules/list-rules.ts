import { ROUTES } from '../../contract/routes.ts';
import type { RuleQuery } from '../../contract/rules.ts';
import { addressEntry, domainEntry } from '../../domain/rules/present.ts';
import type { Rule } from '../../domain/rules/types.ts';
import { type Context, verb } from '../verb.ts';
import { listRules, readCursor } from './lists.ts';

type Page = ReturnType<typeof readCursor>;

const domainPage = ({ query }: { readonly query: RuleQuery }): Page => readCursor('domain', query);
const addressPage = ({ query }: { readonly query: RuleQuery }): Page => readCursor('address', query);
const listDomains = (rule: Rule) => (context: Context, page: Page) =>
  listRules(context, { kind: 'domain', rule }, page, domainEntry);
const listAddresses = (rule: Rule) => (context: Context, page: Page) =>
  listRules(context, { kind: 'address', rule }, page, addressEntry);

/** The account's lists, newest entry first. */
export const listBlockedDomains = verb({
  route: ROUTES.listBlockedDomains,
  parse: domainPage,
  run: listDomains('block'),
});
export const listAllowedDomains = verb({
  route: ROUTES.listAllowedDomains,
  parse: domainPage,
  run: listDomains('allow'),
});
export const listBlockedAddresses = verb({
  route: ROUTES.listBlockedAddresses,
  parse: addressPage,
  run: listAddresses('block'),
});
export const listAllowedAddresses = verb({
  route: ROUTES.listAllowedAddresses,
  parse: addressPage,
  run: listAddresses('allow'),
});
