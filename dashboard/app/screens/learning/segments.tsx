import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Segments as SegmentsAnswer } from '../../api/schema.ts';
import { IntervalPlot } from '../../charts/interval-plot.tsx';
import { useFilters } from '../../lib/filters.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { label } from '../../lib/vocabulary.ts';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { dimensionName, segmentName, useMetric } from './metric.ts';
import { segmentsQuery } from './queries.ts';

type Segment = SegmentsAnswer['segments'][number];

/** So many are drawn at first; a press of the button adds `MORE`. */
const SHOWN = 25;
const MORE = 100;
const PAIRS = 'pairs';

const dimensionsOf = ({ key }: Segment): string[] => Object.keys(key);

interface Total {
  readonly exposures: number;
  readonly events: number;
}

/** The segments of each single dimension together. */
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

/** Every address: what the dimension that knows most of them has. */
const largestOf = (totals: ReadonlyMap<string, Total>): Total | undefined =>
  [...totals.values()].toSorted((one, other) => other.exposures - one.exposures)[0];

function Plot({ answer }: { readonly answer: SegmentsAnswer }) {
  const [search, change] = useFilters();
  const by = search['by'];
  const { segments, too_few: tooFew, metric } = answer;
  const totals = totalsOf(segments);
  const all = largestOf(totals);
  // A segment of every address says nothing that the dashed line does not.
  const parts = segments.filter(({ exposures }) => exposures !== all?.exposures);
  const singles = parts.filter((segment) => dimensionsOf(segment).length === 1);
  const dimensions = [...new Set(singles.flatMap(dimensionsOf))].toSorted();
  const chosen =
    by === PAIRS
      ? parts.filter((segment) => dimensionsOf(segment).length > 1)
      : singles.filter((segment) => by === undefined || dimensionsOf(segment).includes(by));
  const sorted = chosen.toSorted((one, other) => other.rate - one.rate);
  // What a company or a decision is known of are decisions alone: verifications would lower their line.
  const own = by === undefined ? undefined : totals.get(by);
  const line = own ?? all;
  const asked = Number(search['shown']);
  const most = asked > SHOWN ? asked : SHOWN;
  const shown = sorted.slice(0, most);
  return (
    <Stack gap="md">
      <Select
        label="Compare by"
        w={{ base: '100%', xs: 240 }}
        value={by ?? ''}
        allowDeselect={false}
        onChange={(value) => change({ by: value === null || value === '' ? undefined : value, shown: undefined })}
        data={[
          { value: '', label: 'Every single property' },
          ...dimensions.map((dimension) => ({ value: dimension, label: dimensionName(dimension) })),
          { value: PAIRS, label: 'Two properties together' },
        ]}
      />
      {sorted.length === 0 ? (
        <Empty title="No segment has 30 addresses yet">
          {tooFew.length > 0
            ? plural(
                tooFew.length,
                '# segment has fewer than 30 addresses, which is too few for a rate.',
                '# segments have fewer than 30 addresses, which is too few for a rate.',
              )
            : 'Check addresses, and send the events that follow by API: a segment is shown from 30 addresses on.'}
        </Empty>
      ) : (
        <IntervalPlot
          rows={shown.map(({ key, ...numbers }) => ({ name: segmentName(key), ...numbers }))}
          baseline={line === undefined ? null : line.events / line.exposures}
          of={own === undefined ? 'every address that was verified or decided on' : 'these segments together'}
          event={label(metric)}
        />
      )}
      {sorted.length > shown.length && (
        <Group gap="sm">
          <Button size="xs" variant="default" onClick={() => change({ shown: String(most + MORE) })}>
            Show more
          </Button>
          <Text size="xs" c="dimmed" className="numbers">
            {formatCount(shown.length)} of {formatCount(sorted.length)}
          </Text>
        </Group>
      )}
    </Stack>
  );
}

const joinText = ({ exact, by_email: byEmail, unmatched }: SegmentsAnswer['join']): string =>
  `Events: ${formatCount(exact)} tied to a decision by its trace, ${formatCount(byEmail)} by address, ${formatCount(unmatched)} to none.`;

/** Who goes on to do what, by what was known of the address. */
export function Segments() {
  const api = useApi();
  const { id } = useOrganisation();
  const { metric, days, metrics, windows, setMetric, setDays } = useMetric();
  const query = useQuery(segmentsQuery(api, id, metric, days));
  return (
    <Section
      title="Segments"
      note="Who goes on to do what, by what was known when the address was verified or decided on."
    >
      <Stack gap="md">
        <Group gap="sm" align="flex-end">
          <Select
            label="Event"
            w={{ base: '100%', xs: 200 }}
            value={metric}
            allowDeselect={false}
            onChange={(value) => setMetric(value ?? 'subscribed')}
            data={metrics.map((value) => ({ value, label: label(value) }))}
          />
          <Select
            label="Addresses of"
            w={{ base: '100%', xs: 200 }}
            value={String(days)}
            allowDeselect={false}
            onChange={(value) => setDays(value ?? '')}
            data={windows.map((value) => ({ value: String(value), label: `The last ${value} days` }))}
          />
        </Group>
        <Loaded query={query} lines={8}>
          {(answer) =>
            answer.computed_at === null ? (
              <Empty title="Not computed yet">Segments are counted once a night. The first night is to come.</Empty>
            ) : (
              <>
                <Plot answer={answer} />
                <Text size="xs" c="dimmed" component="div">
                  {joinText(answer.join)} Computed <Time at={answer.computed_at} />.
                </Text>
              </>
            )
          }
        </Loaded>
      </Stack>
    </Section>
  );
}
