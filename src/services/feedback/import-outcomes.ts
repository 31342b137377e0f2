import type { ImportedOutcome, ImportReceipt } from '../../contract/feedback.ts';
import { ROUTES } from '../../contract/routes.ts';
import { parseAddress } from '../../domain/address/parse.ts';
import { isInTime } from '../../domain/belief/facts.ts';
import { readReport } from '../../domain/feedback/bounces/report.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { tally } from '../../kernel/tally.ts';
import type { Deps } from '../deps.ts';
import type { Context } from '../verb.ts';
import { verb } from '../verb.ts';
import { type AddressReport, recordReports } from './record-reports.ts';

type Rejected = ImportReceipt['rejected'][number];
type ReadRow = { readonly report: AddressReport } | { readonly rejected: Rejected };

/** An import may take its time: a thousand rows may be of hundreds of domains. */
const LOOK_UP_MS = 8 * SECOND_MS;

/** Takes what became of messages of before. Only hashes of the addresses are kept. */
export const importOutcomes = verb({
  route: ROUTES.importOutcomes,
  run: async (context, { body }): Promise<ImportReceipt> => {
    const { deps, organisationId } = context;
    const rows = await Promise.all(body.outcomes.map((row, index) => readRow(deps, context, row, index)));
    const taken = rows.flatMap((row, index) => ('report' in row ? [{ index, report: row.report }] : []));
    const reporter = { organisationId, name: 'import', source: 'import', lookUpMs: LOOK_UP_MS } as const;
    const reports = taken.map(({ report }) => report);
    const { fresh, suppressed } = await recordReports(deps, reporter, reports);
    const keptOut = taken.flatMap(({ index }, place): Rejected[] =>
      suppressed.has(place) ? [{ index, reason: 'suppressed' }] : [],
    );
    const rejected = [...rows.flatMap((row) => ('rejected' in row ? [row.rejected] : [])), ...keptOut];
    return {
      accepted: fresh.size,
      duplicates: reports.length - fresh.size - suppressed.size,
      rejected: rejected.toSorted((one, other) => one.index - other.index),
      read_as: tally(reports.filter((_, place) => fresh.has(place)).flatMap((report) => report.class ?? [])),
    };
  },
});

async function readRow(
  { now, hashAddress }: Pick<Deps, 'now' | 'hashAddress'>,
  { organisationId }: Pick<Context, 'organisationId'>,
  { email, outcome, at: seconds, smtp_code }: ImportedOutcome,
  index: number,
): Promise<ReadRow> {
  const at = Math.round(seconds * SECOND_MS);
  const parsed = parseAddress(email);
  if (!parsed.ok) return { rejected: { index, reason: 'not_an_address' } };
  if (!isInTime(at, now())) return { rejected: { index, reason: at < now() ? 'too_old' : 'in_the_future' } };
  // With the address's hash it names the row.
  const id = `${outcome} ${at}`;
  const { normalised } = parsed.address;
  const addressHash = hashAddress(organisationId, normalised);
  const read = await readReport(outcome, smtp_code, (other) => other === normalised);
  return {
    report: {
      id,
      address: parsed.address,
      addressHash,
      at,
      outcome,
      ...read,
      means: 'sent',
    },
  };
}
