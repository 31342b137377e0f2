import { useElementSize } from '@mantine/hooks';
import { formatCount, formatShare } from '../lib/format.ts';
import { label } from '../lib/vocabulary.ts';
import { Figure } from './figure.tsx';
import { fillOf } from './tone-fill.tsx';

const BINS = 40;
const HEIGHT = 72;

interface HistogramProps {
  readonly numbers: readonly number[];
  readonly review: number | null;
  readonly deny: number | null;
}

/** How the numbers of the account are spread. Bars at the same scale as the slider. */
export function Histogram({ numbers, review, deny }: HistogramProps) {
  const { ref, width: measured } = useElementSize();
  const width = Math.max(240, measured);
  const counts = Array.from({ length: BINS }, () => 0);
  for (const number of numbers) {
    const bin = Math.min(BINS - 1, Math.floor(Math.sqrt(number) * BINS));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const most = Math.max(1, ...counts);
  const edge = (bin: number): number => (bin / BINS) ** 2;
  /** What the limits alone decide in a bin. */
  const decided = (bin: number): 'deny' | 'review' | null => {
    const middle = edge(bin + 0.5);
    if (deny !== null && middle >= deny) return 'deny';
    return review !== null && middle >= review ? 'review' : null;
  };
  const fillOfBin = (bin: number): string => {
    const by = decided(bin);
    return by === null ? 'var(--series)' : fillOf(by);
  };
  if (numbers.length === 0) return null;
  return (
    <Figure
      caption={`How your newest ${formatCount(numbers.length)} numbers are spread, from 0 to 100 %. Low numbers have more room, and small counts are drawn larger than they are.`}
      head={['Number', 'Addresses', 'By the limits']}
      rows={counts.flatMap((count, bin) => {
        if (count === 0) return [];
        const by = decided(bin);
        const range = `${formatShare(edge(bin))} to ${formatShare(edge(bin + 1))}`;
        return [[range, formatCount(count), by === null ? 'No limit' : label(by)]];
      })}
    >
      <div ref={ref}>
        <svg
          width="100%"
          height={HEIGHT}
          role="img"
          aria-label={`How ${numbers.length} bounce probabilities are spread, from 0 to 100 %`}
        >
          {counts.map((count, bin) => {
            // The root keeps a few bad addresses visible beside many good ones.
            const height = Math.sqrt(count / most) * (HEIGHT - 4);
            return (
              <rect
                key={bin}
                x={(bin * width) / BINS + 1}
                y={HEIGHT - height}
                width={Math.max(1, width / BINS - 2)}
                height={height}
                rx={2}
                fill={fillOfBin(bin)}
              />
            );
          })}
        </svg>
      </div>
    </Figure>
  );
}
