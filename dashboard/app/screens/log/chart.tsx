import { Box } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { seriesQuery } from '../../api/queries.ts';
import { StackedDays } from '../../charts/stacked-days.tsx';
import { daysOf, daysOfSeries, rangeOf, sumOf } from '../../lib/days.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { Loaded } from '../../parts/notices.tsx';

const HEIGHT = 112;
/** So wide is a day that can be chosen, with the chart's own margin, pixels. */
const DAY_PX = 26;

interface LogChartProps {
  /** The filter of time. */
  readonly time: string | undefined;
  readonly onChoose: (time: string) => void;
}

/** The calls of the newest days that fit, by recommendation. A day, or several, become the filter of time. */
export function LogChart({ time, onChoose }: LogChartProps) {
  const { id } = useOrganisation();
  const { ref, width } = useElementSize();
  const query = useQuery(seriesQuery(useApi(), id, 'recommendation'));
  return (
    <Box ref={ref} mb="md" mih={HEIGHT}>
      <Loaded query={query} lines={4}>
        {(answer) => {
          const all = daysOfSeries(answer);
          if (sumOf(all.series.flatMap(({ counts }) => counts)) === 0 || width === 0) return null;
          const days = all.days.slice(-Math.max(7, Math.floor(width / DAY_PX) - 2));
          return (
            <StackedDays
              caption={`All verifications of the last ${days.length} days in UTC. Choose a day, or drag over several.`}
              days={days}
              series={all.series.map(({ term, counts }) => ({ term, counts: counts.slice(-days.length) }))}
              isLastOpen
              height={HEIGHT}
              room={width}
              chosen={daysOf(time)}
              onChoose={(first, last) => onChoose(rangeOf(first, last))}
            />
          );
        }}
      </Loaded>
    </Box>
  );
}
