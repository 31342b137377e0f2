import { useElementSize } from '@mantine/hooks';
import { formatLoss } from '../lib/format.ts';
import { Figure } from './figure.tsx';

export interface LossBar {
  readonly name: string;
  /** Mean of −ln(probability given to what happened). */
  readonly loss: number;
}

/** What a coin has: ln 2. */
const COIN = Math.LN2;
const ROW = 46;
const PAD = { top: 4, bottom: 22, right: 52 };

/** How far predictions were from what happened. Shorter is better. */
export function LossBars({ bars }: { readonly bars: readonly LossBar[] }) {
  const { ref, width: measured } = useElementSize();
  const width = Math.max(220, measured);
  const most = Math.max(COIN * 1.08, ...bars.map(({ loss }) => loss));
  const x = (loss: number) => (loss / most) * (width - PAD.right);
  const height = PAD.top + bars.length * ROW + PAD.bottom;
  return (
    <Figure
      caption="Log loss: how far predictions were from what happened. Shorter is better; the dashed line is a coin’s."
      head={['Model', 'Log loss']}
      rows={[...bars.map(({ name, loss }) => [name, formatLoss(loss)]), ['A coin', formatLoss(COIN)]]}
    >
      <div ref={ref}>
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={bars.map(({ name, loss }) => `${name}: log loss ${formatLoss(loss)}`).join('; ')}
        >
          <line
            x1={x(COIN)}
            x2={x(COIN)}
            y1={PAD.top + 16}
            y2={height - PAD.bottom + 4}
            stroke="var(--mantine-color-dimmed)"
            strokeDasharray="4 4"
          />
          {bars.map(({ name, loss }, index) => (
            <g key={name}>
              <text
                x={0}
                y={PAD.top + index * ROW + 13}
                fontSize="12"
                className="halo"
                fill="var(--mantine-color-text)"
              >
                {name}
              </text>
              <rect
                x={0}
                y={PAD.top + index * ROW + 20}
                width={Math.max(2, x(loss))}
                height={14}
                rx={3}
                fill="var(--series)"
                opacity={index === 0 && bars.length > 1 ? 0.45 : 1}
              />
              <text
                x={x(loss) + 6}
                y={PAD.top + index * ROW + 31}
                fontSize="12"
                className="numbers"
                fill="var(--mantine-color-text)"
              >
                {formatLoss(loss)}
              </text>
            </g>
          ))}
          <text x={x(COIN)} y={height - 4} fontSize="11" textAnchor="middle" fill="var(--mantine-color-dimmed)">
            coin
          </text>
        </svg>
      </div>
    </Figure>
  );
}
