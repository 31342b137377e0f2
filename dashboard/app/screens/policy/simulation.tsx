import { Anchor, Box, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Simulation } from '../../api/schema.ts';
import { formatCount, formatShare } from '../../lib/format.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { Icon } from '../../parts/icons.tsx';
import { Mark } from '../../parts/mark.tsx';

const SAMPLES_SHOWN = 6;

/** What the draft would have decided otherwise. */
export function SimulationResult({ simulation }: { readonly simulation: Simulation }) {
  const { id } = useOrganisation();
  const { window_days: days, traces, undetermined, changed, complete, sample_trace_ids: samples } = simulation;
  const told = traces - undetermined;
  const others = changed.reduce((sum, { count }) => sum + count, 0);
  return (
    <Stack gap="xs" mb="md">
      <Text size="sm">
        It would have changed{' '}
        <b>
          {formatCount(others)} of {formatCount(told)}
        </b>{' '}
        {told > 0 && `(${formatShare(others / told)}) `}
        of {complete ? '' : 'the newest '}judgements of the last {days} days.
        {undetermined > 0 &&
          ` Of ${formatCount(undetermined)} more it can’t be told: they turn on something that is not stored.`}
      </Text>
      {changed.length > 0 && (
        <Group gap="lg">
          {changed.map(({ from, to, count }) => (
            <Group key={`${from} ${to}`} gap={8} wrap="nowrap">
              <Text size="sm" fw={600} className="numbers">
                {formatCount(count)}
              </Text>
              <Mark term={from} />
              <Box component="span" lh={0} style={{ transform: 'rotate(-90deg)' }}>
                <Icon name="chevron" size={14} />
              </Box>
              <Mark term={to} />
            </Group>
          ))}
        </Group>
      )}
      {samples.length > 0 && (
        <Text size="sm">
          For example{' '}
          {samples.slice(0, SAMPLES_SHOWN).map((trace, at) => (
            <span key={trace}>
              {at > 0 && ', '}
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link to="/$organisation/log" params={{ organisation: id }} search={{ trace } as never} {...props} />
                )}
              >
                {`…${trace.slice(-6)}`}
              </Anchor>
            </span>
          ))}
          .
        </Text>
      )}
    </Stack>
  );
}
