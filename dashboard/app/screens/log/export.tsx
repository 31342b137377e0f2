import { answerOf } from '../../api/client.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { allPages, Export } from '../../parts/export.tsx';
import { askedOf, type LogSearch, queryOf } from './search.ts';

const PAGE = 200;
const timeText = (epochSeconds: number): string => new Date(epochSeconds * 1_000).toISOString();

/** Filtered records as CSV, with masked addresses. */
export function LogExport({ search }: { readonly search: LogSearch }) {
  const { api } = useOrganisation();
  const query = { ...queryOf(askedOf(search), Date.now() / 1000), limit: PAGE };
  return search.view === 'screenings' ? (
    <Export
      name="screenings"
      head={['time', 'address', 'recommendation', 'reasons', 'cost_usd', 'trace_id']}
      load={async () => {
        const rows = await allPages(
          (place) => answerOf(api.GET('/v1/screenings', { params: { query: { ...query, ...place } } })),
          ({ screenings }) => screenings,
        );
        return rows.map(({ created_at: at, display, screening, cost_usd: cost, trace_id: id }) => [
          timeText(at),
          display,
          screening.recommendation,
          screening.reasons.join(' '),
          cost,
          id,
        ]);
      }}
    />
  ) : (
    <Export
      name="log"
      head={[
        'time',
        'kind',
        'address',
        'domain',
        'bounce_probability',
        'verdict',
        'recommendation',
        'reason',
        'email_type',
        'cost_usd',
        'trace_id',
      ]}
      load={async () => {
        const rows = await allPages(
          (place) => answerOf(api.GET('/v1/traces', { params: { query: { ...query, ...place } } })),
          ({ traces }) => traces,
        );
        return rows.map((row) => [
          timeText(row.created_at),
          row.kind,
          row.display,
          row.domain,
          row.bounce_probability,
          row.verdict,
          row.recommendation,
          row.reason,
          row.email_type,
          row.cost_usd,
          row.trace_id,
        ]);
      }}
    />
  );
}
