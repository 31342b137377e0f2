import { Box } from '@mantine/core';

interface IntervalProps {
  readonly rate: number;
  /** 90% interval. */
  readonly ci: readonly number[];
  /** Overall rate; null if unknown. */
  readonly baseline: number | null;
  /** The end of the scale. */
  readonly most: number;
}

const HEIGHT = 18;

/** A rate with its interval and the overall rate. Other cells have the numbers. */
export function Interval({ rate, ci: [low = 0, high = 1], baseline, most }: IntervalProps) {
  const x = (share: number): string => `${Math.min(100, (share / most) * 100)}%`;
  return (
    <Box component="svg" w="100%" h={HEIGHT} display="block" aria-hidden="true" style={{ overflow: 'visible' }}>
      <line x1="0" x2="100%" y1={HEIGHT / 2} y2={HEIGHT / 2} stroke="var(--line)" />
      {baseline !== null && (
        <line
          x1={x(baseline)}
          x2={x(baseline)}
          y1={-8}
          y2={HEIGHT + 8}
          stroke="var(--mantine-color-dimmed)"
          strokeDasharray="3 3"
        />
      )}
      <line
        x1={x(low)}
        x2={x(high)}
        y1={HEIGHT / 2}
        y2={HEIGHT / 2}
        stroke="var(--series)"
        strokeWidth={4}
        strokeLinecap="round"
        opacity={0.35}
      />
      <circle cx={x(rate)} cy={HEIGHT / 2} r={4.5} fill="var(--series)" stroke="var(--surface)" />
    </Box>
  );
}
