import { Group, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { formatCompact, formatCount, formatDay } from '../lib/format.ts';
import { label } from '../lib/vocabulary.ts';
import { DayChoice } from './day-choice.tsx';
import { Figure } from './figure.tsx';
import { fillOf, Swatch } from './tone-fill.tsx';

const HEIGHT = 180;
/** The least width of a day that a finger or a pointer may choose, pixels. */
const TARGET_PX = 24;
const PAD = { left: 40, right: 8, top: 10, bottom: 24 };

export interface StackedDaysProps {
  readonly caption: string;
  /** Where each day begins, epoch seconds, oldest first. */
  readonly days: readonly number[];
  /** A count a day for each term, in the order of the days. */
  readonly series: readonly { readonly term: string; readonly counts: readonly number[] }[];
  /** The last day is not over. */
  readonly isLastOpen: boolean;
  readonly height?: number;
  /** Pixels, where the caller has measured it; else it is measured. */
  readonly room?: number;
  /** Takes the starts of the first and the last chosen day. A narrow window offers no choice. */
  readonly onChoose?: (first: number, last: number) => void;
  /** The chosen days, epoch seconds; null means none is. */
  readonly chosen?: { readonly from: number; readonly to: number } | null;
}

/** Round counts below the largest, about three. */
function ticksTo(most: number): number[] {
  const rough = most / 3.5;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = Math.max(1, [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? power);
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);
}

/** Counts of each day, one above the other, in UTC. A day that is not over is drawn lighter. */
export function StackedDays({
  caption,
  days,
  series,
  isLastOpen,
  height: total = HEIGHT,
  room,
  onChoose,
  chosen = null,
}: StackedDaysProps) {
  const { ref, width: measured } = useElementSize();
  const width = Math.max(240, room ?? measured);
  const totals = days.map((_, at) => series.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0));
  const most = Math.max(1, ...totals);
  const step = (width - PAD.left - PAD.right) / Math.max(1, days.length);
  const heightOf = (count: number): number => (count / most) * (total - PAD.top - PAD.bottom);
  const every = Math.ceil(days.length / Math.max(1, Math.floor(width / 90)));
  const opacityOf = (day: number, at: number): number => {
    if (chosen !== null && (day < chosen.from || day >= chosen.to)) return 0.25;
    return isLastOpen && at === days.length - 1 ? 0.55 : 1;
  };
  const rows = days.map((day, at) => [formatDay(day), ...series.map(({ counts }) => formatCount(counts[at] ?? 0))]);
  return (
    <Figure caption={caption} head={['Day', ...series.map(({ term }) => label(term))]} rows={rows.toReversed()}>
      <div ref={ref} className="days">
        <svg width={width} height={total} role="img" aria-label={caption}>
          {ticksTo(most).map((count) => (
            <g key={count}>
              <line
                x1={PAD.left}
                x2={width - PAD.right}
                y1={total - PAD.bottom - heightOf(count)}
                y2={total - PAD.bottom - heightOf(count)}
                stroke="var(--line)"
              />
              <text
                x={PAD.left - 6}
                y={total - PAD.bottom - heightOf(count) + 4}
                fontSize="11"
                textAnchor="end"
                fill="var(--mantine-color-dimmed)"
              >
                {formatCompact(count)}
              </text>
            </g>
          ))}
          {days.map((day, at) => {
            let below = 0;
            return (
              <g key={day} opacity={opacityOf(day, at)}>
                {series.map(({ term, counts }) => {
                  const height = heightOf(counts[at] ?? 0);
                  below += height;
                  return (
                    <rect
                      key={term}
                      x={PAD.left + at * step + 1}
                      y={total - PAD.bottom - below}
                      width={Math.max(1, step - 2)}
                      height={Math.max(0, height - (height > 3 ? 1 : 0))}
                      fill={fillOf(term)}
                    >
                      <title>{`${formatDay(day)}: ${label(term)} ${formatCount(counts[at] ?? 0)}`}</title>
                    </rect>
                  );
                })}
                {at % every === 0 && (
                  <text
                    x={PAD.left + (at + 0.5) * step}
                    y={total - 8}
                    fontSize="11"
                    textAnchor="middle"
                    fill="var(--mantine-color-dimmed)"
                  >
                    {formatDay(day)}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
        {onChoose !== undefined && step >= TARGET_PX && (
          <DayChoice
            days={days.map((day, at) => ({
              day,
              text: `${formatDay(day)}: ${formatCount(totals[at] ?? 0)}`,
            }))}
            left={PAD.left}
            width={step}
            height={total - PAD.bottom}
            chosen={chosen}
            onChoose={onChoose}
          />
        )}
      </div>
      <Group gap="md" mt={4}>
        {series.map(({ term }) => (
          <Group key={term} gap={6}>
            <Swatch term={term} />
            <Text size="xs">{label(term)}</Text>
          </Group>
        ))}
      </Group>
    </Figure>
  );
}
