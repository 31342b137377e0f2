import { Group, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { formatCompact, formatCount, formatDay } from '../lib/format.ts';
import { label } from '../lib/vocabulary.ts';
import { colourOf, Swatch, toneOf } from '../parts/mark.tsx';
import { Bars, Figure } from './figure.tsx';

export interface StackedDaysProps {
  readonly caption: string;
  /** Start of each day, epoch seconds, oldest first. */
  readonly days: readonly number[];
  /** One count per day for each term. */
  readonly series: readonly { readonly term: string; readonly counts: readonly number[] }[];
  readonly height?: number;
  /** Receives the start of the pressed day. */
  readonly onChoose?: (day: number) => void;
}

/** Stacked daily counts in UTC. The legend toggles terms. */
export function StackedDays({ caption, days, series, height = 200, onChoose }: StackedDaysProps) {
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const shown = series.filter(({ term }) => !hidden.includes(term));
  const rows = days.map((day, at) => [formatDay(day), ...series.map(({ counts }) => formatCount(counts[at] ?? 0))]);
  const toggle = (term: string) =>
    setHidden(hidden.includes(term) ? hidden.filter((each) => each !== term) : [...hidden, term]);
  return (
    <Figure caption={caption} head={['Day', ...series.map(({ term }) => label(term))]} rows={rows.toReversed()}>
      <Bars
        label={caption}
        h={height}
        type="stacked"
        dataKey="day"
        data={days.map((day, at) => ({
          day: formatDay(day),
          ...Object.fromEntries(shown.map(({ term, counts }) => [term, counts[at] ?? 0])),
        }))}
        series={shown.map(({ term }) => ({ name: term, label: label(term), color: colourOf(term) }))}
        maxBarWidth={28}
        valueFormatter={formatCount}
        // In a low chart, labels of more ticks would touch and be left out.
        yAxisProps={{ tickFormatter: formatCompact, width: 44, tickCount: height < 200 ? 3 : 5 }}
        xAxisProps={{ minTickGap: 24 }}
        {...(onChoose !== undefined && {
          barChartProps: {
            onClick: ({ activeTooltipIndex }) => {
              const day = days[Number(activeTooltipIndex)];
              if (day !== undefined) onChoose(day);
            },
            style: { cursor: 'pointer' },
          },
        })}
      />
      <Group gap={2} mt={4} role="group" aria-label="Shown">
        {series.map(({ term }) => (
          <UnstyledButton
            key={term}
            className="legend-item"
            aria-pressed={!hidden.includes(term)}
            onClick={() => toggle(term)}
          >
            <Swatch tone={toneOf(term)} />
            {label(term)}
          </UnstyledButton>
        ))}
      </Group>
    </Figure>
  );
}
