import { maskAddress } from '../../domain/address/mask.ts';
import { parseAddress } from '../../domain/address/parse.ts';
import { readDomain } from '../../domain/rules/domain-entry.ts';
import { type Batch, readBatch } from '../../domain/rules/entries.ts';
import type { RuleSubject } from '../../domain/rules/types.ts';
import { resolveTraces } from '../traces/resolve-traces.ts';
import type { Context } from '../verb.ts';

export const readDomains = (domains: readonly string[]): Batch<RuleSubject> =>
  readBatch(domains, (text) => {
    const read = readDomain(text);
    return read.ok ? { key: read.domain, display: read.domain } : read.refusal;
  });

/** Addresses are hashed here: the object that keeps the lists never sees one. */
export const readEmails = ({ deps, organisationId }: Context, emails: readonly string[]): Batch<RuleSubject> =>
  readBatch(emails, (text) => {
    const parsed = parseAddress(text);
    if (!parsed.ok) return 'invalid_address' as const;
    const key = deps.hashAddress(organisationId, parsed.address.normalised);
    return { key, display: maskAddress(parsed.address) };
  });

/** The addresses that a body names, by themselves or by traces about them. */
export async function readAddresses(
  context: Context,
  { emails, trace_ids: traceIds = [] }: { emails?: readonly string[] | undefined; trace_ids?: string[] | undefined },
): Promise<Batch<RuleSubject>> {
  if (emails !== undefined) return readEmails(context, emails);
  const traces = await resolveTraces(context.deps, context, context.admitted.key, traceIds);
  return readBatch(traceIds, (text) => {
    const trace = traces.get(text);
    const hash = trace?.addressHash ?? null;
    return trace === undefined || hash === null ? 'unknown_trace' : { key: hash, display: trace.display };
  });
}
