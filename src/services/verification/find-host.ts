import type { Address } from '../../domain/address/parse.ts';
import { type Precheck, precheck } from '../../domain/answer/precheck.ts';
import { type HostClass, hostClass } from '../../domain/belief/host-class.ts';
import { isConsumerDomain } from '../../domain/mailbox-provider/classify.ts';
import { NO_RULES } from '../../domain/rules/rules.ts';
import type { LookUpDeps } from './observe.ts';

export type HostDeps = Pick<LookUpDeps, 'lists' | 'findMailHosts' | 'classifyMailHosts'>;

/** An address's host class by lists and DNS alone, without the account's rules. Never rejects. */
export async function findHost(
  { lists, findMailHosts, classifyMailHosts }: HostDeps,
  address: Address,
  deadlineMs: number,
): Promise<{ readonly host: HostClass; readonly precheck: Precheck }> {
  const { domain } = address;
  const mail = await findMailHosts(domain, deadlineMs);
  const hosts = mail.kind === 'found' ? mail.hosts : [];
  const consumer = isConsumerDomain(lists, classifyMailHosts, domain, hosts);
  const found = precheck({ mail, disposableTier: lists.disposableTier(domain), rules: NO_RULES });
  const { mxProvider, gateway } = classifyMailHosts({ hosts, domain, isFree: consumer });
  return {
    host: hostClass({
      disposable: found.disposable,
      relay: lists.isRelay(domain),
      consumer,
      mxProvider,
      gateway,
    }),
    precheck: found,
  };
}
