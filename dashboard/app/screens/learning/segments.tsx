import { Group, Select, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import type { Segments as SegmentsAnswer } from '../../api/schema.ts';
import { Interval } from '../../charts/interval.tsx';
import { useFilters } from '../../lib/filters.ts';
import { formatCount, formatInterval, formatRate, plural } from '../../lib/format.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { isFewerBetter, label } from '../../lib/vocabulary.ts';
import { Export } from '../../parts/export.tsx';
import type { HeadCells } from '../../parts/head.tsx';
import { LongTable, placed, type RowPlace } from '../../parts/long-table.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { Dimmed } from '../../parts/text.tsx';
import { dimensionName, segmentName, useMetric, segmentsQuery } from './metric.ts';

type Segment = SegmentsAnswer['segments'][number];

const PAIRS = 'pairs';
const ROW_PX = 38;

const dimensionsOf = ({ key }: Segment): string[] => Object.keys(key);

interface Total {
  readonly exposures: number;
  readonly events: number;
}

function totalsOf(segments: readonly Segment[]): ReadonlyMap<string, Total> {
  const totals = new Map<string, Total>();
  for (const segment of segments) {
    const [dimension, second] = dimensionsOf(segment);
    if (dimension === undefined || second !== undefined) continue;
    const { exposures, events } = totals.get(dimension) ?? { exposures: 0, events: 0 };
    totals.set(dimension, { exposures: exposures + segment.exposures, events: events + segment.events });
  }
  return totals;
}

function viewOf({ segments, metric }: SegmentsAnswer, by: string | undefined) {
  const totals = totalsOf(segments);
  const all = [...totals.values()].toSorted((one, other) => other.exposures - one.exposures)[0];
  // A segment of all addresses adds nothing.
  const parts = segments.filter(({ exposures }) => exposures !== all?.exposures);
  const singles = parts.filter((segment) => dimensionsOf(segment).length === 1);
  const chosen =
    by === PAIRS
      ? parts.filter((segment) => dimensionsOf(segment).length > 1)
      : singles.filter((segment) => by === undefined || dimensionsOf(segment).includes(by));
  const sign = isFewerBetter(metric) ? -1 : 1;
  // Companies and decisions are known of decide calls only, so their baseline excludes verifications.
  const line = (by === undefined ? undefined : totals.get(by)) ?? all;
  const baseline = line === undefined ? null : line.events / line.exposures;
  return {
    dimensions: [...new Set(singles.flatMap(dimensionsOf))].toSorted(),
    rows: chosen.toSorted((one, other) => sign * (one.rate - other.rate)),
    baseline,
    most: Math.min(1, Math.max(0.02, baseline ?? 0, ...chosen.map(({ ci }) => ci[1] ?? 0)) * 1.05),
  };
}

interface RowProps extends RowPlace {
  readonly segment: Segment;
  readonly baseline: number | null;
  readonly most: number;
}

const Row = memo(function Row({ segment, baseline, most, at, measure }: RowProps) {
  const { key, rate, ci, exposures, events } = segment;
  return (
    <Table.Tr {...placed({ at, measure })}>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{segmentName(key)}</Table.Td>
      <Table.Td ta="right" fw={500}>
        {formatRate(rate)}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Interval rate={rate} ci={ci} baseline={baseline} most={most} />
      </Table.Td>
      <Table.Td ta="right" visibleFrom="md" c="dimmed">
        {formatInterval(ci)}
      </Table.Td>
      <Table.Td ta="right">
        {formatCount(events)} of {formatCount(exposures)}
      </Table.Td>
    </Table.Tr>
  );
});

const HEAD: HeadCells = [
  'Segment',
  ['Rate', { ta: 'right', w: 76 }],
  [<span className="visually-hidden">Rate and its interval</span>, { visibleFrom: 'sm', w: '32%' }],
  ['90% interval', { ta: 'right', visibleFrom: 'md', w: 130 }],
  ['Counted', { ta: 'right', w: 130 }],
];

/** Event rates by segment, worst first. */
export function Segments() {
  const { id } = useOrganisation();
  const [search, change] = useFilters();
  const { metric, days, metrics, windows, setMetric, setDays } = useMetric();
  const query = useQuery(segmentsQuery(id, metric, days));
  const by = search['by'];
  const view = query.data === undefined ? null : viewOf(query.data, by);
  return (
    <Section
      title="Segments"
      action={
        view !== null &&
        view.rows.length > 0 && (
          <Export
            name={`segments-${metric}`}
            head={['segment', 'rate', 'low', 'high', 'events', 'addresses']}
            load={async () =>
              view.rows.map(({ key, rate, ci, events, exposures }) => [
                segmentName(key),
                rate,
                ci[0] ?? null,
                ci[1] ?? null,
                events,
                exposures,
              ])
            }
          />
        )
      }
    >
      <Group gap="sm" align="flex-end" mb="md">
        <Select
          label="Event"
          w={180}
          value={metric}
          onChange={(value) => setMetric(value ?? 'subscribed')}
          data={metrics.map((value) => ({ value, label: label(value) }))}
        />
        <Select
          label="Period"
          w={150}
          value={String(days)}
          onChange={(value) => setDays(value ?? '')}
          data={windows.map((value) => ({ value: String(value), label: `Last ${value} days` }))}
        />
        <Select
          label="Split by"
          w={200}
          value={by ?? ''}
          onChange={(value) => change({ by: value === null || value === '' ? undefined : value })}
          data={[
            { value: '', label: 'All properties' },
            ...(view?.dimensions ?? []).map((dimension) => ({ value: dimension, label: dimensionName(dimension) })),
            { value: PAIRS, label: 'Two properties' },
          ]}
        />
      </Group>
      <Loaded query={query} lines={8}>
        {({ computed_at: computedAt, too_few: tooFew }) =>
          view === null || view.rows.length === 0 ? (
            <Empty title={computedAt === null ? 'Nothing counted yet' : 'No segment has 30 addresses yet'}>
              {tooFew.length > 0
                ? plural(tooFew.length, '# segment is too small for a rate.', '# segments are too small for a rate.')
                : 'Send your events by API. Segments are counted every night.'}
            </Empty>
          ) : (
            <>
              {view.baseline !== null && (
                <Dimmed mb="xs">Worst first. Dashed line: {formatRate(view.baseline)} of all addresses.</Dimmed>
              )}
              <LongTable
                name="Segments"
                rows={view.rows}
                hasMore={false}
                keyOf={({ key }) => segmentName(key)}
                head={HEAD}
                minWidth={320}
                rowHeight={ROW_PX}
                isPlain
              >
                {(segment, place) => <Row segment={segment} baseline={view.baseline} most={view.most} {...place} />}
              </LongTable>
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
