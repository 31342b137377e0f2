import { useElementSize } from '@mantine/hooks';
import {
  formatCompact,
  formatCount,
  formatEstimate,
  formatInterval,
  formatSentences,
  formatShare,
  plural,
} from '../lib/format.ts';
import { Figure } from './figure.tsx';
import { type Bin, isHeld } from './held.ts';

const SIZE = { min: 260, max: 460 };
const PAD = { left: 58, right: 22, top: 10, bottom: 38 };
const COUNTS = { gap: 12, height: 44 };
const TICKS = [0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1];
const FEW_TICKS = [0, 0.05, 0.25, 0.5, 1];

const tickLabel = (tick: number) => `${tick * 100}%`;

/** Reliability diagram: predicted against observed rates. Points on the diagonal are accurate. */
export function Reliability({ bins }: { readonly bins: readonly Bin[] }) {
  const { ref, width } = useElementSize();
  const size = Math.min(SIZE.max, Math.max(SIZE.min, width));
  const plot = { width: size - PAD.left - PAD.right, height: size - PAD.top - PAD.bottom };
  /** Square-root scale: low numbers matter most. */
  const root = (share: number) => Math.sqrt(Math.min(1, Math.max(0, share)));
  const x = (share: number) => PAD.left + root(share) * plot.width;
  const y = (share: number) => PAD.top + (1 - root(share)) * plot.height;
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const floor = PAD.top + plot.height;
  const countTop = size + COUNTS.gap;
  const height = countTop + COUNTS.height + 18;
  const ticks = size < 380 ? FEW_TICKS : TICKS;
  const held = bins.filter(isHeld).length;
  const said = `${held} of ${bins.length} groups hold.`;
  return (
    <Figure
      caption={formatSentences(
        'Points on the dashed line are predicted exactly; bars are 90% intervals, squares miss the line.',
        said,
      )}
      head={['Predicted', 'Bounced', '90% interval', 'Outcomes']}
      rows={bins.map(({ predicted, observed, ci, count }) => [
        formatEstimate(predicted),
        formatShare(observed),
        formatInterval(ci),
        formatCount(count),
      ])}
    >
      <div ref={ref}>
        <svg width={size} height={height} role="img" aria-label={formatSentences('Reliability diagram.', said)}>
          {ticks.map((tick) => (
            <g key={tick} fontSize="11" fill="var(--mantine-color-dimmed)">
              <line x1={x(tick)} x2={x(tick)} y1={PAD.top} y2={floor} stroke="var(--line)" />
              <line x1={PAD.left} x2={PAD.left + plot.width} y1={y(tick)} y2={y(tick)} stroke="var(--line)" />
              <text x={x(tick)} y={floor + 14} textAnchor="middle">
                {tickLabel(tick)}
              </text>
              <text x={PAD.left - 6} y={y(tick) + 4} textAnchor="end">
                {tickLabel(tick)}
              </text>
            </g>
          ))}
          <text
            x={PAD.left + plot.width / 2}
            y={floor + 31}
            fontSize="11"
            textAnchor="middle"
            fill="var(--mantine-color-text)"
          >
            predicted
          </text>
          <text
            transform={`translate(10 ${PAD.top + plot.height / 2}) rotate(-90)`}
            fontSize="11"
            textAnchor="middle"
            fill="var(--mantine-color-text)"
          >
            bounced
          </text>
          <line x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} stroke="var(--mantine-color-dimmed)" strokeDasharray="4 4" />
          {bins.map((bin) => {
            const { predicted, observed, ci, count } = bin;
            const [low = 0, high = 1] = ci;
            const colour = isHeld(bin) ? 'var(--series)' : 'var(--mark-poor)';
            const tall = (count / most) * COUNTS.height;
            return (
              <g key={predicted} stroke={colour} strokeWidth={2}>
                <title>{`Predicted ${formatEstimate(predicted)}, bounced ${formatShare(observed)} (${formatInterval(ci)}), ${plural(count, '# outcome', '# outcomes')}`}</title>
                <line x1={x(predicted)} x2={x(predicted)} y1={y(low)} y2={y(high)} />
                <line x1={x(predicted) - 4} x2={x(predicted) + 4} y1={y(low)} y2={y(low)} />
                <line x1={x(predicted) - 4} x2={x(predicted) + 4} y1={y(high)} y2={y(high)} />
                {isHeld(bin) ? (
                  <circle cx={x(predicted)} cy={y(observed)} r={4.5} fill={colour} stroke="var(--surface)" />
                ) : (
                  <rect x={x(predicted) - 4.5} y={y(observed) - 4.5} width={9} height={9} fill="var(--surface)" />
                )}
                <rect
                  x={x(predicted) - 5}
                  y={countTop + COUNTS.height - tall}
                  width={10}
                  height={Math.max(1, tall)}
                  rx={2}
                  fill="var(--series)"
                  stroke="none"
                  opacity={0.45}
                />
              </g>
            );
          })}
          <line
            x1={PAD.left}
            x2={PAD.left + plot.width}
            y1={countTop + COUNTS.height}
            y2={countTop + COUNTS.height}
            stroke="var(--line)"
          />
          <text x={PAD.left - 6} y={countTop + 8} fontSize="11" textAnchor="end" fill="var(--mantine-color-dimmed)">
            {formatCompact(most)}
          </text>
          <text
            x={PAD.left + plot.width / 2}
            y={height - 3}
            fontSize="11"
            textAnchor="middle"
            fill="var(--mantine-color-text)"
          >
            outcomes
          </text>
        </svg>
      </div>
    </Figure>
  );
}
