import { ROUTES } from '../../contract/routes.ts';
import { addressesKey } from '../../domain/bulk/job-record.ts';
import { blockableOf, canBeRule } from '../../domain/bulk/results/segments.ts';
import { RULES_MAX } from '../../domain/rules/types.ts';
import { DomainError } from '../../kernel/errors.ts';
import { addEntries, readEmails } from '../rules.ts';
import { verb } from '../verb.ts';
import { readAddresses } from './addresses.ts';
import { openSegment } from './open-segment.ts';

/** Puts all of a segment's addresses on the blocklist or, over the cap, none. */
export const blockSegment = verb({
  route: ROUTES.blockBulkSegment,
  run: async (context, { params, body: { segment: name, note } }) => {
    const { job, stored, includes, prefix, results } = await openSegment(context, params.id, name, blockableOf);
    const unique = job.file?.unique ?? 0;
    const numbers = Array.from({ length: unique }, (_, number) => number).filter((number) => {
      const kind = results.of(number)?.kind ?? null;
      return canBeRule(kind) && includes?.(kind);
    });
    if (numbers.length > RULES_MAX) {
      throw new DomainError('invalid_request', `An account has up to ${RULES_MAX} address rules: none was added.`);
    }
    const key = addressesKey(prefix, stored.reading);
    const emails = await readAddresses(context.deps.blobs, key, unique, numbers);
    const list = { kind: 'address', rule: 'block' } as const;
    const { rejected: _, ...added } = await addEntries(context, list, readEmails(context, emails), note, job.id);
    const isDomainBlocked = (number: number): boolean => {
      const kind = results.of(number)?.kind;
      return kind?.status === 'ok' && kind.reason === 'domain_blocklisted';
    };
    return { ...added, domain_blocked: numbers.filter(isDomainBlocked).length };
  },
});
