import { useElementSize } from '@mantine/hooks';
import { formatCompact, formatCount, formatEstimate, formatInterval, formatSentences } from '../lib/format.ts';
import { Figure } from './figure.tsx';

export interface IntervalRow {
  readonly name: string;
  readonly rate: number;
  /** 90 %. */
  readonly ci: readonly number[];
  readonly exposures: number;
  readonly events: number;
}

const ROW = 30;
const NARROW = { below: 560, row: 44 };
const PAD = { top: 26, bottom: 26 };
const CHARACTER = 6.7;
/** The width of a digit of a count, in its smaller font. */
const DIGIT = 6.2;

const NICE = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25];
/** Steps of which about four fit. */
const stepOf = (most: number): number => NICE.find((step) => most / step <= 5) ?? 0.25;

const countedText = (events: number, exposures: number, format: (count: number) => string): string =>
  `${format(events)} of ${format(exposures)}`;

const cut = (text: string, room: number): string => {
  const length = Math.max(8, Math.floor(room / CHARACTER));
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
};

/** Rates with their intervals, in the order given, beside the rate of all. */
export function IntervalPlot({
  rows,
  baseline,
  of,
  event,
}: {
  readonly rows: readonly IntervalRow[];
  /** The rate of all addresses that the rows are compared with; null where it is not known. */
  readonly baseline: number | null;
  /** Which addresses those are. */
  readonly of: string;
  /** What is counted. */
  readonly event: string;
}) {
  const { ref, width: measured } = useElementSize();
  const width = Math.max(250, measured);
  const isNarrow = width < NARROW.below;
  const rowHeight = isNarrow ? NARROW.row : ROW;
  const longest = Math.max(0, ...rows.map((row) => countedText(row.events, row.exposures, formatCompact).length));
  const right = Math.max(92, longest * DIGIT + 16);
  const left = isNarrow ? 4 : Math.min(280, width * 0.36);
  const most = Math.min(1, Math.max(0.02, baseline ?? 0, ...rows.map(({ ci }) => ci[1] ?? 0)) * 1.05);
  const step = stepOf(most);
  const ticks = Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, index) => index * step);
  const x = (share: number) => left + 6 + (share / most) * (width - left - right - 12);
  const height = PAD.top + rows.length * rowHeight + PAD.bottom;
  const bottom = height - PAD.bottom;
  /** Where the line of all is drawn: on a narrow screen beside each interval, not through the name above it. */
  const bands = isNarrow
    ? rows.map((_, index) => [PAD.top + index * rowHeight + 23, PAD.top + (index + 1) * rowHeight] as const)
    : [[PAD.top - 6, bottom] as const];
  return (
    <Figure
      caption={formatSentences(
        `Addresses with “${event}”: what was counted stands at the right. The point is an estimate of the rate, with its 90 % interval, highest first. Where few addresses are known, it is drawn towards the rate of all.`,
        baseline !== null && `Dashed: ${of}, ${formatEstimate(baseline)}.`,
        'Where intervals overlap much, the difference may be chance.',
      )}
      head={['Segment', 'Counted', 'Estimated rate', '90 % interval']}
      rows={rows.map(({ name, rate, ci, exposures, events }) => [
        name,
        countedText(events, exposures, formatCount),
        formatEstimate(rate),
        formatInterval(ci),
      ])}
    >
      <div ref={ref}>
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={`Estimated rates of ${rows.length} segments with their intervals`}
        >
          {ticks.map((tick) => (
            <g key={tick} fontSize="11" fill="var(--mantine-color-dimmed)">
              <line x1={x(tick)} x2={x(tick)} y1={PAD.top} y2={bottom} stroke="var(--line)" />
              <text x={x(tick)} y={height - 8} textAnchor="middle">
                {`${Math.round(tick * 100)} %`}
              </text>
            </g>
          ))}
          {baseline !== null && (
            <g>
              {bands.map(([from, to]) => (
                <line
                  key={from}
                  x1={x(baseline)}
                  x2={x(baseline)}
                  y1={from}
                  y2={to}
                  stroke="var(--mantine-color-dimmed)"
                  strokeDasharray="4 4"
                />
              ))}
              <text x={x(baseline)} y={14} fontSize="11" textAnchor="middle" fill="var(--mantine-color-dimmed)">
                all
              </text>
            </g>
          )}
          {rows.map(({ name, rate, ci, exposures, events }, index) => {
            const [low = 0, high = 1] = ci;
            const top = PAD.top + index * rowHeight;
            const middle = isNarrow ? top + 32 : top + rowHeight / 2;
            return (
              <g key={name}>
                <title>{`${name}: ${countedText(events, exposures, formatCount)}. Estimated rate ${formatEstimate(rate)} (${formatInterval(ci)})`}</title>
                <text
                  x={isNarrow ? left : left - 6}
                  y={isNarrow ? top + 18 : middle + 4}
                  fontSize="12"
                  textAnchor={isNarrow ? 'start' : 'end'}
                  className="halo"
                  fill="var(--mantine-color-text)"
                >
                  {cut(name, isNarrow ? width - right : left)}
                </text>
                <line x1={x(low)} x2={x(high)} y1={middle} y2={middle} stroke="var(--series)" strokeWidth={2} />
                <line x1={x(low)} x2={x(low)} y1={middle - 4} y2={middle + 4} stroke="var(--series)" strokeWidth={2} />
                <line
                  x1={x(high)}
                  x2={x(high)}
                  y1={middle - 4}
                  y2={middle + 4}
                  stroke="var(--series)"
                  strokeWidth={2}
                />
                <circle cx={x(rate)} cy={middle} r={4.5} fill="var(--series)" stroke="var(--surface)" />
                <text
                  x={width - 4}
                  y={middle + 4}
                  fontSize="11"
                  textAnchor="end"
                  fill="var(--mantine-color-dimmed)"
                  className="numbers"
                >
                  {countedText(events, exposures, formatCompact)}
                </text>
              </g>
            );
          })}
        </svg>
      </div>
    </Figure>
  );
}
