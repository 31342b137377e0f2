import { Box, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { traceQuery } from '../../api/queries.ts';
import type { Simulation } from '../../api/schema.ts';
import { formatCount, formatEstimate, formatList, formatSentences, formatShare, plural } from '../../lib/format.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { Icon } from '../../parts/icons.tsx';
import { Mark } from '../../parts/mark.tsx';
import { ScreenLink } from '../../parts/screen-link.tsx';

const SAMPLES_SHOWN = 6;

type Split = Simulation['by_kind'][number];

/** Signups first, as most policies are about them. */
const KINDS: readonly Split['kind'][] = ['decide', 'verify', 'bulk'];

const COUNTED: Readonly<Record<Split['kind'], (count: number) => string>> = {
  decide: (count) => plural(count, '# signup', '# signups'),
  verify: (count) => plural(count, '# verification', '# verifications'),
  bulk: (count) => plural(count, '# row of a list', '# rows of lists'),
};

const sumOf = (changed: Simulation['changed']): number => changed.reduce((sum, { count }) => sum + count, 0);
const totalOf = ({ counts }: Split): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** `37 of 604 signups (6%)`. */
const shareText = (changed: number, of: number, counted: (count: number) => string): string =>
  `${formatCount(changed)} of ${counted(of)} (${formatShare(changed / of)})`;

/** Changed shares of what this policy decided, by kind, and the other traffic that the draft was run on. */
function splitsOf({ by_kind: splits }: Simulation) {
  const ordered = KINDS.flatMap((kind) => splits.filter((split) => split.kind === kind));
  return {
    shares: ordered
      .filter(({ decided }) => decided > 0)
      .map((split) => shareText(sumOf(split.changed), split.decided, COUNTED[split.kind])),
    others: ordered
      .map((split) => ({ kind: split.kind, count: totalOf(split) - split.decided }))
      .filter(({ count }) => count > 0)
      .map(({ kind, count }) => COUNTED[kind](count)),
  };
}

export function SimulationResult({ simulation }: { readonly simulation: Simulation }) {
  const { window_days: days, undetermined, changed, complete, sample_trace_ids: samples } = simulation;
  const { shares, others } = splitsOf(simulation);
  const notes = formatSentences(
    !complete && 'Only the newest were checked.',
    others.length > 0 && `${formatList(others)} decided by no policy can’t change.`,
    undetermined > 0 && `${formatCount(undetermined)} more can’t be told from what is stored.`,
  );
  return (
    <Stack gap="xs" mb="md">
      <Text size="sm">
        {shares.length > 0 ? (
          <>
            Would have changed <b>{formatList(shares)}</b> of the last {days} days.
          </>
        ) : (
          <>Would have changed nothing in the last {days} days.</>
        )}
        {notes !== '' && ` ${notes}`}
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
          <Text size="sm">Examples</Text>
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

/** A verification that the draft decides differently. Opens another tab, so that the draft stays. */
function Sample({ id, changed }: { readonly id: string; readonly changed: Simulation['changed'] }) {
  const organisation = useOrganisation();
  const { data: trace } = useQuery(traceQuery(organisation.id, id));
  const before = (trace?.policy_decision ?? trace?.bulk_decision)?.decision;
  const [to, ...others] = changed.filter(({ from }) => from === before);
  return (
    <Group component="li" gap={8} wrap="nowrap">
      <ScreenLink to="log" search={{ trace: id }} target="_blank" flex={1} miw={0} className="cut">
        {trace?.display ?? `…${id.slice(-6)}`}
        <span className="visually-hidden"> in another tab</span>
      </ScreenLink>
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
