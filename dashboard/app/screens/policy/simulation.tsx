import { Anchor, Box, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { traceQuery } from '../../api/queries.ts';
import type { Simulation } from '../../api/schema.ts';
import { formatCount, formatEstimate, formatForm, formatShare } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { Icon } from '../../parts/icons.tsx';
import { Mark } from '../../parts/mark.tsx';

const SAMPLES_SHOWN = 6;

/** What the draft would have decided otherwise. */
export function SimulationResult({ simulation }: { readonly simulation: Simulation }) {
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
        {complete ? '' : 'newest '}judgements
        {told > 0 && ` (${formatShare(others / told)})`} of the last {days} days.
        {undetermined > 0 &&
          ` ${formatForm(undetermined, {
            one: '# more depends on facts that are not stored: the result for it is unknown.',
            other: '# more depend on facts that are not stored: the result for them is unknown.',
          })}`}
      </Text>
      {changed.length > 0 && (
        <Group gap="lg">
          {changed.map(({ from, to, count }) => (
            <Group key={`${from} ${to}`} gap={8} wrap="nowrap">
              <Text size="sm" fw={600} className="numbers">
                {formatCount(count)}
              </Text>
              <Mark term={from} />
              <Becomes />
              <Mark term={to} />
            </Group>
          ))}
        </Group>
      )}
      {samples.length > 0 && (
        <Stack gap={4}>
          <Text size="sm">For example</Text>
          <SimpleGrid
            component="ul"
            cols={{ base: 1, lg: 2 }}
            spacing="xl"
            verticalSpacing={4}
            className="plain-list"
            m={0}
            p={0}
          >
            {samples.slice(0, SAMPLES_SHOWN).map((id) => (
              <Sample key={id} id={id} changed={changed} />
            ))}
          </SimpleGrid>
        </Stack>
      )}
    </Stack>
  );
}

interface SampleProps {
  readonly id: string;
  readonly changed: Simulation['changed'];
}

/** One judgement that the draft decides otherwise. It opens in another tab: the draft stays. */
function Sample({ id, changed }: SampleProps) {
  const organisation = useOrganisation();
  const { data: trace } = useQuery(traceQuery(useApi(), organisation.id, id));
  const before = (trace?.policy_decision ?? trace?.bulk_decision)?.decision;
  const [to, ...others] = changed.filter(({ from }) => from === before);
  return (
    <Group component="li" gap={8} wrap="nowrap">
      <Anchor
        size="sm"
        flex={1}
        miw={0}
        className="cut"
        renderRoot={(props) => (
          <Link
            to="/$organisation/log"
            params={{ organisation: organisation.id }}
            search={{ trace: id } as never}
            target="_blank"
            {...props}
          />
        )}
      >
        {trace?.display ?? `…${id.slice(-6)}`}
        <span className="visually-hidden"> in another tab</span>
      </Anchor>
      {trace !== undefined && (
        <Text size="sm" className="numbers">
          {formatEstimate(trace.bounce_probability)}
        </Text>
      )}
      {before !== undefined && <Mark term={before} />}
      {/* Where its decision became several others, the answer does not say which is whose. */}
      {to !== undefined && others.length === 0 && (
        <>
          <Becomes />
          <Mark term={to.to} />
        </>
      )}
    </Group>
  );
}

const Becomes = () => (
  <Box component="span" lh={0} style={{ transform: 'rotate(-90deg)' }}>
    <Icon name="chevron" size={14} />
  </Box>
);
