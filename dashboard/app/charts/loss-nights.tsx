import { useElementSize } from '@mantine/hooks';
import { formatDay, formatLoss } from '../lib/format.ts';
import { Figure } from './figure.tsx';

export interface LossNight {
  /** Epoch seconds. */
  readonly at: number;
  readonly table: number;
  /** Null while there were too few outcomes. */
  readonly model: number | null;
}

const HEIGHT = 110;
const PAD = { top: 10, bottom: 18, left: 44, right: 6 };

/** How the loss of the tables and of the numbers as they were given went on, night by night. Lower is better. */
export function LossNights({ nights }: { readonly nights: readonly LossNight[] }) {
  const { ref, width: measured } = useElementSize();
  const width = Math.max(220, measured);
  const [first, last] = [nights[0]?.at ?? 0, nights.at(-1)?.at ?? 1];
  const losses = nights.flatMap(({ table, model }) => [table, ...(model === null ? [] : [model])]);
  const [least, most] = [Math.min(...losses), Math.max(...losses)];
  const x = (at: number) => PAD.left + ((at - first) / Math.max(1, last - first)) * (width - PAD.left - PAD.right);
  const y = (loss: number) =>
    PAD.top + ((most - loss) / Math.max(most - least, 0.001)) * (HEIGHT - PAD.top - PAD.bottom);
  const line = (of: (night: LossNight) => number | null): string =>
    nights
      .flatMap((night) => {
        const loss = of(night);
        return loss === null ? [] : [`${x(night.at).toFixed(1)},${y(loss).toFixed(1)}`];
      })
      .join(' ');
  return (
    <Figure
      caption="The same, night by night. Lower is better. Dashed: the tables; full: the numbers as you got them."
      head={['Night', 'Tables', 'Numbers']}
      rows={nights.map(({ at, table, model }) => [
        formatDay(at),
        formatLoss(table),
        model === null ? '–' : formatLoss(model),
      ])}
    >
      <div ref={ref}>
        <svg width={width} height={HEIGHT} role="img" aria-label={`Log loss of the last ${nights.length} nights`}>
          {(most > least ? [least, most] : [most]).map((loss) => (
            <g key={loss}>
              <line x1={PAD.left} x2={width - PAD.right} y1={y(loss)} y2={y(loss)} stroke="var(--line)" />
              <text
                x={PAD.left - 6}
                y={y(loss) + 4}
                fontSize="11"
                textAnchor="end"
                className="numbers"
                fill="var(--mantine-color-dimmed)"
              >
                {formatLoss(loss)}
              </text>
            </g>
          ))}
          <polyline
            points={line(({ table }) => table)}
            fill="none"
            stroke="var(--series)"
            strokeWidth={2}
            strokeDasharray="4 4"
          />
          <polyline points={line(({ model }) => model)} fill="none" stroke="var(--series)" strokeWidth={2} />
          <text x={PAD.left} y={HEIGHT - 4} fontSize="11" fill="var(--mantine-color-dimmed)">
            {formatDay(first)}
          </text>
          <text x={width - PAD.right} y={HEIGHT - 4} fontSize="11" textAnchor="end" fill="var(--mantine-color-dimmed)">
            {formatDay(last)}
          </text>
        </svg>
      </div>
    </Figure>
  );
}
