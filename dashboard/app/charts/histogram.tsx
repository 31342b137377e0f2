import { Box, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';

const BINS = 40;
const HEIGHT = 70;

interface HistogramProps {
  /** From 0 to 1. */
  readonly values: readonly number[];
  /** What is at or above it is marked. */
  readonly limit: number;
  readonly title: string;
}

/** How numbers are spread over 0 to 100 %. The sentence beside it says the same. */
export function Histogram({ values, limit, title }: HistogramProps) {
  const { ref, width } = useElementSize();
  const counts = Array.from(
    { length: BINS },
    (_, bin) => values.filter((value) => Math.min(BINS - 1, Math.floor(value * BINS)) === bin).length,
  );
  const most = Math.max(1, ...counts);
  const step = Math.max(1, width) / BINS;
  return (
    <Box component="figure" m={0} ref={ref}>
      <svg width={width} height={HEIGHT} role="img" aria-label={title}>
        {counts.map((count, bin) => {
          const height = count === 0 ? 0 : Math.max(2, (count / most) * (HEIGHT - 4));
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a bin is its place
              key={bin}
              x={bin * step + 0.5}
              y={HEIGHT - height}
              width={Math.max(0.5, step - 1)}
              height={height}
              rx={1}
              fill={bin / BINS >= limit ? 'var(--mark-bad)' : 'var(--series)'}
            />
          );
        })}
        <line
          x1={limit * width}
          x2={limit * width}
          y1={0}
          y2={HEIGHT}
          stroke="var(--mantine-color-text)"
          strokeDasharray="3 3"
        />
      </svg>
      <Text component="figcaption" size="xs" c="dimmed">
        {title}, from 0 to 100 %
      </Text>
    </Box>
  );
}
