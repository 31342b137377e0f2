import { Box } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { seriesQuery } from '../../api/queries.ts';
import { StackedDays } from '../../charts/stacked-days.tsx';
import { formatSentences } from '../../lib/format.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { daysOfSeries, rangeOf, rangeText, sumOf } from '../../lib/period.ts';
import { Loaded } from '../../parts/notices.tsx';
import { Dimmed } from '../../parts/text.tsx';
import { COUNTED } from './search.ts';

const DAY_S = 86_400;
const HEIGHT = 130;

interface LogChartProps extends Readonly<Partial<Record<'time' | (typeof COUNTED)[number], string | undefined>>> {
  /** Why the active filters can't be charted; empty if they can. */
  readonly uncounted: string;
  /** A stable function. */
  readonly onChoose: (time: string) => void;
}

/** Calls of the last 30 days by recommendation. Pressing a day filters by it. Filters are single texts, so `memo` compares them. */
export const LogChart = memo(function LogChart({ time, uncounted, onChoose, ...counted }: LogChartProps) {
  const { id } = useOrganisation();
  // The old counts stay while new ones load, so that nothing below jumps.
  const query = useQuery({
    ...seriesQuery(id, 'recommendation', counted),
    placeholderData: keepPreviousData,
    enabled: uncounted === '',
  });
  const isFiltered = COUNTED.some((name) => counted[name] !== undefined);
  // Bars must count the same rows as the list below.
  if (uncounted !== '') return <Dimmed mb="md">{uncounted}</Dimmed>;
  return (
    <Box mb="md" mih={HEIGHT} opacity={query.isPlaceholderData ? 0.5 : 1} aria-busy={query.isPlaceholderData}>
      <Loaded query={query} lines={4}>
        {(answer) => {
          const all = daysOfSeries(answer);
          if (sumOf(all.series.flatMap(({ counts }) => counts)) === 0) return null;
          return (
            <StackedDays
              caption={captionOf(all.days, isFiltered, time !== undefined)}
              days={all.days}
              series={all.series}
              height={HEIGHT}
              onChoose={(day) => onChoose(rangeOf(day, day))}
            />
          );
        }}
      </Loaded>
    </Box>
  );
});

/** What the chart counts, and for which days. */
function captionOf(days: readonly number[], isFiltered: boolean, hasTime: boolean): string {
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  const shown = rangeText({ from: first, to: last + DAY_S });
  return formatSentences(
    `${isFiltered ? 'Matching verifications' : 'Verifications'}, ${shown} (UTC).`,
    hasTime && 'The list below shows another period.',
    'Click a day to filter by it.',
  );
}
