import { Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/client.ts';
import type { BulkJob, BulkPreview } from '../../api/schema.ts';
import { formatEstimate, plural } from '../../lib/format.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { label, reasonText, ruleText } from '../../lib/vocabulary.ts';
import { Icon } from '../../parts/icons.tsx';
import { Mark } from '../../parts/mark.tsx';
import { Loaded } from '../../parts/notices.tsx';
import { ScreenLink } from '../../parts/screen-link.tsx';
import { ScrollTable } from '../../parts/scroll-table.tsx';
import { Small } from '../../parts/text.tsx';

type Row = BulkPreview['rows'][number];

/** First rows of the file with the address column marked, and results once checked. */
export function Preview({ job }: { readonly job: BulkJob }) {
  const { api, id: organisationId } = useOrganisation();
  const query = useQuery({
    // Results arrive while the job runs.
    queryKey: [organisationId, 'job-preview', job.id, job.state, job.has_header],
    queryFn: () => answerOf(api.GET('/v1/bulk/jobs/{id}/preview', { params: { path: { id: job.id } } })),
  });
  return (
    <Loaded query={query} lines={6}>
      {(preview) => (
        <>
          <PreviewTable preview={preview} marked={job.email_column} />
          <TooLong preview={preview} />
        </>
      )}
    </Loaded>
  );
}

/** A row with too many cells, whose results are not below their headings. */
function TooLong({ preview: { columns, rows } }: { readonly preview: BulkPreview }) {
  const width = (columns ?? rows[0]?.cells ?? []).length;
  const count = rows.filter(({ cells }) => cells.length > width).length;
  if (count === 0) return null;
  return (
    <Text size="sm" mt="sm">
      {plural(count, '# of these rows has', '# of these rows have')} more cells than the first line, so its results come
      after its last cell. Put quotes around cells that contain the delimiter.
    </Text>
  );
}

function PreviewTable({ preview, marked }: { readonly preview: BulkPreview; readonly marked: number | null }) {
  const { columns, rows } = preview;
  const width = Math.max(columns?.length ?? 0, ...rows.map(({ cells }) => cells.length));
  const hasResults = rows.some(({ result }) => result !== null);
  const hasDecisions = rows.some(({ result }) => result !== null && result.decision !== null);
  const places = Array.from({ length: width }, (_, place) => place);
  return (
    <ScrollTable
      minWidth={Math.max(320, width * 130 + (hasResults ? 260 : 0))}
      fz="sm"
      verticalSpacing={6}
      aria-label="First rows"
    >
      <Table.Thead>
        <Table.Tr>
          {places.map((place) => (
            <Table.Th key={place} {...(place === marked && { bg: 'var(--chosen)' })}>
              <Group gap={4} wrap="nowrap">
                {place === marked && <Icon name="try" size={15} />}
                <span>{columns?.[place] || `Column ${place + 1}`}</span>
                {place === marked && (
                  <span className="visually-hidden">
                    {', '}
                    email column
                  </span>
                )}
              </Group>
            </Table.Th>
          ))}
          {hasResults && <Table.Th>{hasDecisions ? 'Decision' : 'Recommendation'}</Table.Th>}
          {hasResults && <Table.Th ta="right">Bounce risk</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody className="numbers">
        {rows.map((row, at) => (
          <Table.Tr key={at}>
            {places.map((place) => (
              <Table.Td
                key={place}
                maw={place === marked ? 300 : 220}
                miw={place === marked ? 210 : 90}
                style={{ overflowWrap: 'anywhere' }}
                {...(place === marked && { bg: 'var(--chosen)', fw: 500 })}
              >
                {row.cells[place] ?? ''}
              </Table.Td>
            ))}
            {hasResults && <Result row={row} />}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  );
}

function Result({ row: { result } }: { readonly row: Row }) {
  if (result === null || result.recommendation === null)
    return (
      <>
        <Table.Td c="dimmed">{result === null ? 'Not yet' : label(result.status)}</Table.Td>
        <Table.Td />
      </>
    );
  const { decision, recommendation, reason, bounce_probability: number, trace_id: trace } = result;
  const { rule_id: rule, did_you_mean: meant } = result;
  const shown = number === null ? '' : formatEstimate(number);
  return (
    <>
      <Table.Td>
        <Mark term={decision ?? recommendation} />
        {rule !== null && <Small>{ruleText(rule)}</Small>}
        {reason !== null && <Small>{reasonText(reason)}</Small>}
        {meant !== null && (
          <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
            Did you mean {meant}?
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
        {trace === null ? (
          shown
        ) : (
          <ScreenLink to="log" search={{ trace }}>
            {shown}
          </ScreenLink>
        )}
      </Table.Td>
    </>
  );
}
