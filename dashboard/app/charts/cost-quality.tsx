import { useElementSize } from '@mantine/hooks';
import { formatDollars } from '../lib/format.ts';
import { Figure } from './figure.tsx';
import { fillOf } from './tone-fill.tsx';

export interface Strategy {
  readonly name: string;
  /** What providers are paid, dollars for 1,000 addresses. */
  readonly spend: number;
  /** What mistakes are expected to cost, dollars for 1,000 addresses. */
  readonly mistakes: number;
}

const ROW = 50;
const BAR = { top: 20, height: 16 };
const PAD = { right: 70, bottom: 22 };

/** What each way of asking costs in all: its price, and its mistakes. Shorter is better. */
export function CostQuality({ strategies }: { readonly strategies: readonly Strategy[] }) {
  const { ref, width: measured } = useElementSize();
  const width = Math.max(240, measured);
  const most = Math.max(...strategies.map(({ spend, mistakes }) => spend + mistakes), Number.EPSILON);
  const x = (dollars: number): number => (dollars / most) * (width - PAD.right);
  const height = strategies.length * ROW + PAD.bottom;
  const said = strategies
    .map(
      ({ name, spend, mistakes }) =>
        `${name}: ${formatDollars(spend)} for providers and ${formatDollars(mistakes)} for mistakes`,
    )
    .join('; ');
  return (
    <Figure
      caption="Dollars for 1,000 addresses. Shorter is better. Mistakes are those that the number itself expects, at what they cost you."
      head={['Way of asking', 'Providers', 'Expected mistakes', 'Together']}
      rows={strategies.map(({ name, spend, mistakes }) => [
        name,
        formatDollars(spend),
        formatDollars(mistakes),
        formatDollars(spend + mistakes),
      ])}
    >
      <div ref={ref}>
        <svg width={width} height={height} role="img" aria-label={said}>
          {strategies.map(({ name, spend, mistakes }, index) => {
            const top = index * ROW;
            return (
              <g key={name}>
                <text x={0} y={top + 14} fontSize="12.5" fill="var(--mantine-color-text)">
                  {name}
                </text>
                <rect
                  x={0}
                  y={top + BAR.top}
                  width={Math.max(spend > 0 ? 1 : 0, x(spend) - 1)}
                  height={BAR.height}
                  rx={2}
                  fill="var(--series)"
                />
                <rect
                  x={x(spend) + (spend > 0 ? 1 : 0)}
                  y={top + BAR.top}
                  width={Math.max(1, x(mistakes) - 1)}
                  height={BAR.height}
                  rx={2}
                  fill={fillOf('hold')}
                />
                <text
                  x={x(spend + mistakes) + 8}
                  y={top + BAR.top + 13}
                  fontSize="12.5"
                  fontWeight="600"
                  className="numbers"
                  fill="var(--mantine-color-text)"
                >
                  {formatDollars(spend + mistakes)}
                </text>
              </g>
            );
          })}
          {[
            { name: 'paid to providers', colour: 'var(--series)', at: 0 },
            { name: 'expected cost of mistakes', colour: fillOf('hold'), at: 128 },
          ].map(({ name, colour, at }) => (
            <g key={name}>
              <rect x={at} y={height - 14} width={10} height={10} rx={2} fill={colour} />
              <text x={at + 16} y={height - 5} fontSize="11" fill="var(--mantine-color-text)">
                {name}
              </text>
            </g>
          ))}
        </svg>
      </div>
    </Figure>
  );
}
