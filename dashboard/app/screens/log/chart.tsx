import { Box, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { seriesQuery } from '../../api/queries.ts';
import { StackedDays } from '../../charts/stacked-days.tsx';
import { daysOf, daysOfSeries, rangeOf, rangeText, sumOf } from '../../lib/days.ts';
import { formatSentences } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { fixedTime } from '../../lib/period.ts';
import { Loaded } from '../../parts/notices.tsx';
import { COUNTED } from './search.ts';

const DAY_S = 86_400;
const HEIGHT = 112;
/** So wide is a day that can be chosen, with the chart's own margin, pixels. */
const DAY_PX = 26;

interface LogChartProps extends Readonly<Partial<Record<'time' | (typeof COUNTED)[number], string | undefined>>> {
  /** Why the active filters can't be charted; empty if they can. */
  readonly uncounted: string;
  /** The same function from one drawing to the next. */
  readonly onChoose: (time: string) => void;
}

/**
 * The calls of the newest days that fit, by recommendation. A day, or several, become the filter of time. To open a record draws it
 * no second time: filters come as single texts.
 */
export const LogChart = memo(function LogChart({ time, uncounted, onChoose, ...counted }: LogChartProps) {
  const { id } = useOrganisation();
  const { ref, width } = useElementSize();
  // While the counts for new filters load, the former ones stay, so that nothing below jumps.
  const query = useQuery({
    ...seriesQuery(useApi(), id, 'recommendation', counted),
    placeholderData: keepPreviousData,
    enabled: uncounted === '',
  });
  const isFiltered = COUNTED.some((name) => counted[name] !== undefined);
  // Bars that count other rows than those below would be read as theirs.
  if (uncounted !== '')
    return (
      <Text size="sm" c="dimmed" mb="md">
        {uncounted}
      </Text>
    );
  return (
    <Box ref={ref} mb="md" mih={HEIGHT} opacity={query.isPlaceholderData ? 0.5 : 1} aria-busy={query.isPlaceholderData}>
      <Loaded query={query} lines={4}>
        {(answer) => {
          const all = daysOfSeries(answer);
          if (sumOf(all.series.flatMap(({ counts }) => counts)) === 0 || width === 0) return null;
          const days = all.days.slice(-Math.max(7, Math.floor(width / DAY_PX) - 2));
          return (
            <StackedDays
              caption={captionOf(days, isFiltered, time !== undefined)}
              days={days}
              series={all.series.map(({ term, counts }) => ({ term, counts: counts.slice(-days.length) }))}
              isLastOpen
              height={HEIGHT}
              room={width}
              chosen={daysOf(fixedTime(time, Date.now() / 1000))}
              onChoose={(first, last) => onChoose(rangeOf(first, last))}
            />
          );
        }}
      </Loaded>
    </Box>
  );
});

/** What the chart counts, and which days. The filter of time is chosen in it. */
function captionOf(days: readonly number[], isFiltered: boolean, hasTime: boolean): string {
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  const shown = rangeText({ from: first, to: last + DAY_S });
  return formatSentences(
    isFiltered ? `Verifications that fit, of ${shown} in UTC.` : `All verifications, of ${shown} in UTC.`,
    hasTime && 'The list below may show another time.',
    'Choose a day, or drag over several.',
  );
}
