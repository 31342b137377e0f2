import { Table, Text, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type EvidenceStep, factorText, probabilityAt } from '../lib/evidence-words.ts';
import { formatEstimate } from '../lib/format.ts';

const HEIGHT = 14;
const TICKS = [
  0.0001, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995,
  0.999, 0.9999,
];
/** Room beside the outermost values, in log-odds. */
const ROOM = 0.8;
/** Ticks nearer to each other than this would touch: in percent of the width, and in pixels. */
const TICK_GAP = 17;
const TICK_GAP_PX = 38;

const logOdds = (probability: number): number => Math.log(probability / (1 - probability));
const tickLabel = (tick: number): string => `${Number((tick * 100).toPrecision(4))}%`;

/** Places in percent of the width, and the ticks that fit. `width`: pixels; 0 until it is measured. */
function scaleOf(steps: readonly EvidenceStep[], width: number) {
  const gap = width === 0 ? TICK_GAP : Math.max(TICK_GAP, (TICK_GAP_PX / width) * 100);
  const ends = steps.flatMap(({ from, to }) => [from, to]);
  const [low, high] = [Math.min(...ends) - ROOM, Math.max(...ends) + ROOM];
  const x = (at: number): number => ((at - low) / (high - low)) * 100;
  const ticks: { readonly label: string; readonly at: number }[] = [];
  for (const tick of TICKS) {
    const at = x(logOdds(tick));
    if (at >= 6 && at <= 94 && at - (ticks.at(-1)?.at ?? -100) >= gap) ticks.push({ label: tickLabel(tick), at });
  }
  return { x, ticks };
}

/** How each piece of evidence moved the number, from where it began to where it stands. The table is the chart. */
export function EvidenceSteps({ steps }: { readonly steps: readonly EvidenceStep[] }) {
  const { ref, width } = useElementSize();
  if (steps.length === 0) return null;
  const { x, ticks } = scaleOf(steps, width);
  const grid = ticks.map(({ label, at }) => (
    <line key={label} x1={`${at}%`} x2={`${at}%`} y1={0} y2={HEIGHT} stroke="var(--line)" />
  ));
  return (
    <Table verticalSpacing={4} className="numbers" withRowBorders={false} aria-label="What moved the risk">
      <Table.Caption ta="left" fz="xs" mx={0}>
        Each bar starts where the one above ends. × and ÷ show how much each finding moves the odds of a bounce.
      </Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th pl={0}>Evidence</Table.Th>
          <Table.Th ta="right" w={{ base: 62, sm: 92 }}>
            Odds
          </Table.Th>
          <Table.Th ta="right" w={{ base: 68, sm: 80 }} pr={0}>
            Bounce risk
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {steps.map((step, at) => (
          <Table.Tr key={at}>
            <Table.Td pl={0}>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {step.text}
              </Text>
              <svg width="100%" height={HEIGHT} aria-hidden="true" display="block">
                {grid}
                {at === 0 ? (
                  <circle cx={`${x(step.to)}%`} cy={HEIGHT / 2} r={5} fill="var(--series)" />
                ) : (
                  <Move from={x(step.from)} to={x(step.to)} />
                )}
              </svg>
            </Table.Td>
            <Table.Td ta="right" style={{ verticalAlign: 'top', whiteSpace: 'nowrap' }}>
              {at === 0 ? <VisuallyHidden>the beginning</VisuallyHidden> : factorText(step)}
            </Table.Td>
            <Table.Td ta="right" pr={0} fw={600} style={{ verticalAlign: 'top', whiteSpace: 'nowrap' }}>
              {formatEstimate(probabilityAt(step.to))}
            </Table.Td>
          </Table.Tr>
        ))}
        <Table.Tr aria-hidden="true">
          <Table.Td pl={0} py={0}>
            <div ref={ref}>
              <svg width="100%" height={16} display="block">
                {ticks.map(({ label, at }) => (
                  <text
                    key={label}
                    x={`${at}%`}
                    y={12}
                    fontSize="11"
                    textAnchor="middle"
                    fill="var(--mantine-color-dimmed)"
                  >
                    {label}
                  </text>
                ))}
              </svg>
            </div>
          </Table.Td>
        </Table.Tr>
      </Table.Tbody>
    </Table>
  );
}

/** A bar with a head: the colour says it again. */
function Move({ from, to }: { readonly from: number; readonly to: number }) {
  const colour = to > from ? 'var(--mark-poor)' : 'var(--mark-good)';
  return (
    <>
      <rect
        x={`${Math.min(from, to)}%`}
        y={4}
        width={`${Math.max(0.6, Math.abs(to - from))}%`}
        height={HEIGHT - 8}
        rx={2}
        fill={colour}
      />
      <circle cx={`${to}%`} cy={HEIGHT / 2} r={4.5} fill={colour} />
    </>
  );
}
