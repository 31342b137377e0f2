import { Box } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';

const BINS = 40;
const HEIGHT = 72;

interface HistogramProps {
  readonly numbers: readonly number[];
  readonly review: number | null;
  readonly deny: number | null;
}

/** How the numbers of the account are spread. Bars at the same scale as the slider. */
export function Histogram({ numbers, review, deny }: HistogramProps) {
  const { ref, width } = useElementSize();
  const counts = Array.from({ length: BINS }, () => 0);
  for (const number of numbers) {
    const bin = Math.min(BINS - 1, Math.floor(Math.sqrt(number) * BINS));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const most = Math.max(1, ...counts);
  const colour = (bin: number): string => {
    const middle = ((bin + 0.5) / BINS) ** 2;
    if (deny !== null && middle >= deny) return 'var(--mark-bad)';
    return review !== null && middle >= review ? 'var(--mark-wait)' : 'var(--series)';
  };
  if (numbers.length === 0) return null;
  return (
    <Box component="figure" m={0} mb={4} ref={ref}>
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
              // biome-ignore lint/suspicious/noArrayIndexKey: a bin is its place
              key={bin}
              x={(bin * width) / BINS + 1}
              y={HEIGHT - height}
              width={Math.max(1, width / BINS - 2)}
              height={height}
              rx={2}
              fill={colour(bin)}
            />
          );
        })}
      </svg>
    </Box>
  );
}
