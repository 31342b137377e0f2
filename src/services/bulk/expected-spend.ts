import type { Purpose } from '../../contract/vocabulary.ts';
import { sampledNumbers } from '../../domain/bulk/estimate.ts';
import { micros } from '../../domain/metering/usage.ts';
import { NO_RULES } from '../../domain/rules/types.ts';
import { expectedSpend } from '../../domain/verification/expected-spend.ts';
import { hostClass } from '../../domain/verification/host-class.ts';
import { SEEDED_MODEL } from '../../domain/verification/model.ts';
import { precheck } from '../../domain/verification/precheck.ts';
import { BILLS_UNKNOWN } from '../../domain/verification/provider-terms.ts';
import { traitsOf } from '../../domain/verification/signals.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import type { DecideDeps } from '../policy/deciding-policy.ts';
import { COST_DEFAULT_USD, LATENCY_DEFAULT_MS } from '../verification/assess.ts';
import type { ParsedSubject } from '../verification/local-facts.ts';

export type SpendDeps = Pick<
  DecideDeps,
  'providers' | 'health' | 'lists' | 'findMailHosts' | 'classifyMailHosts' | 'now'
>;

type Known = Extract<ParsedSubject, { ok: true }>;

/** Addresses whose mail hosts are looked up, each with a question to a resolver. */
const LOOKED_UP = 24;
const LOOK_UP_MS = SECOND_MS;

/**
 * The mean cost in micros of an address without fresh evidence, over a few of the sample. It is what the router would spend by
 * the seeded tables, given the mail hosts and the number of addresses at the domain. `perSampled`: addresses of the file for
 * each in the sample.
 */
export async function expectedMicros(
  deps: SpendDeps,
  purpose: Purpose,
  sample: readonly ParsedSubject[],
  perSampled: number,
): Promise<number> {
  if (sample.length === 0 || deps.providers.length === 0) return 0;
  const atDomain = new Map<string, number>();
  for (const subject of sample) {
    if (subject.ok) atDomain.set(subject.address.domain, (atDomain.get(subject.address.domain) ?? 0) + 1);
  }
  const looked = sampledNumbers(sample.length, LOOKED_UP).flatMap((number) => sample[number] ?? []);
  const found = new Map<string, Promise<number>>();
  const spendAt = ({ address }: Known): Promise<number> => {
    const { domain } = address;
    const spend = found.get(domain) ?? spendOn(deps, purpose, address, perSampled * (atDomain.get(domain) ?? 1));
    found.set(domain, spend);
    return spend;
  };
  // Broken syntax costs nothing.
  const spends = await Promise.all(looked.flatMap((subject) => (subject.ok ? [spendAt(subject)] : [])));
  return spends.reduce((sum, spend) => sum + spend, 0) / looked.length;
}

async function spendOn(
  { providers, health, lists, findMailHosts, classifyMailHosts, now }: SpendDeps,
  purpose: Purpose,
  address: Known['address'],
  addresses: number,
): Promise<number> {
  const { domain } = address;
  const mail = await findMailHosts(domain, now() + LOOK_UP_MS);
  const traits = traitsOf(address, lists);
  const found = precheck({ mail, disposableTier: lists.disposableTier(domain), rules: NO_RULES });
  if (found.terminal !== null) return 0;
  const hosts = mail.kind === 'found' ? mail.hosts : [];
  const { mxProvider, gateway } = classifyMailHosts({ hosts, domain, isFree: traits.consumer });
  const input = {
    model: SEEDED_MODEL,
    host: hostClass(found, traits, mxProvider, gateway),
    purpose,
    answers: [],
    answersAgeMs: 0,
    acceptsAllOdds: 1,
    asked: new Set<never>(),
    providers: providers.map(({ id, priceMicros }) => ({
      id,
      priceMicros,
      billsUnknown: BILLS_UNKNOWN[id],
      health: health.healthOf(id, now()),
    })),
    left: { costMicros: micros(COST_DEFAULT_USD), timeMs: LATENCY_DEFAULT_MS },
  };
  return expectedSpend(input, addresses);
}
