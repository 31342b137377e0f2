import { Box, Button, Code, Group, Select, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Experiments as Answer, Policy } from '../../api/schema.ts';
import { Interval } from '../../charts/interval.tsx';
import { useFilters } from '../../lib/filters.ts';
import { formatCount, formatEstimate, formatInterval, formatShares } from '../../lib/format.ts';
import { roleAllows, useOrganisation } from '../../lib/organisation.ts';
import { EVENTS, label } from '../../lib/vocabulary.ts';
import { Head } from '../../parts/head.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { ScrollTable } from '../../parts/scroll-table.tsx';
import { Dimmed, Small } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { guardrailText } from './guardrail-text.ts';
import { experimentsQuery } from './queries.ts';

type Experiment = Answer['experiments'][number];
type Arm = Experiment['arms'][number];

export function Experiments({ policy }: { readonly policy: Policy }) {
  const { id } = useOrganisation();
  const [{ metric = 'subscribed' }, change] = useFilters();
  const query = useQuery(experimentsQuery(id, policy.slug, metric));
  if (policy.rules.every(({ experiment }) => experiment === undefined))
    return (
      <Section>
        <Empty title="No experiments">
          Edit a rule and turn on “Run as an experiment” to compare it with your current policy.
        </Empty>
      </Section>
    );
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Select
          label="Metric"
          w={200}
          data={EVENTS.map((value) => ({ value, label: label(value) }))}
          value={metric}
          onChange={(value) => change({ metric: value ?? undefined })}
        />
        {typeof query.data?.computed_at === 'number' && (
          <Dimmed>
            Updated <Time at={query.data.computed_at} />
          </Dimmed>
        )}
      </Group>
      <Loaded query={query} lines={6}>
        {({ experiments }) =>
          experiments.map((each) => (
            <OneExperiment
              key={each.id}
              experiment={each}
              metric={metric}
              onOpenRule={() => change({ view: 'rules', rule: each.rule_id }, true)}
            />
          ))
        }
      </Loaded>
    </Stack>
  );
}

const ARMS = { treatment: 'With the rule', control: 'Without it' } as const;

const ALMOST = 0.999;

/** How certain it is that the rule does better or worse. */
function betterText(event: string, probability: number): string {
  const certainty = Math.max(probability, 1 - probability);
  const sure = certainty > ALMOST ? 'over 99.9%' : formatEstimate(certainty);
  return `“${event}” is ${probability < 0.5 ? 'worse' : 'better'} with the rule (${sure} sure).`;
}

interface OneExperimentProps {
  readonly experiment: Experiment;
  readonly metric: string;
  readonly onOpenRule: () => void;
}

function OneExperiment({ experiment, metric, onOpenRule }: OneExperimentProps) {
  const {
    id,
    rule_id: rule,
    weight,
    min_sample: least,
    ready,
    arms,
    probability_better: better,
    guardrails,
  } = experiment;
  const worse = guardrails.map(guardrailText).filter((loss) => loss !== null);
  const { role } = useOrganisation();
  const isHarmful = worse.some(({ isClear }) => isClear);
  const few = Math.min(...arms.map(({ exposures }) => exposures));
  return (
    <Section title={id} note={`${weight}% of the addresses that match rule ${rule}`}>
      {ready ? (
        <Stack gap={4} mb="sm" align="flex-start">
          {isHarmful && (
            <Text size="sm" fw={600}>
              {roleAllows(role, 'admin') ? 'Stop' : 'Ask an admin to stop'} this experiment: rule <Code>{rule}</Code>{' '}
              does harm.{' '}
              <Button size="compact-xs" variant="light" color="red" onClick={onOpenRule}>
                Go to the rule
              </Button>
            </Text>
          )}
          {worse.map(({ text }) => (
            <Text key={text} size="sm" fw={600}>
              {text}.
            </Text>
          ))}
          {better !== null && <Text size="sm">{betterText(label(metric), better)}</Text>}
          {!isHarmful && (
            <Dimmed>Decide when the intervals are narrow enough, not as soon as the result looks good.</Dimmed>
          )}
        </Stack>
      ) : (
        <Text size="sm" mb="sm">
          Collecting data: {formatCount(few)} of {formatCount(least)} addresses in the smaller arm.
        </Text>
      )}
      <ArmsTable title={label(metric)} arms={arms} />
      {guardrails.map(({ event, arms: guarded }) => (
        <Box key={event} mt="md">
          <ArmsTable title={`${label(event)} (guardrail)`} arms={guarded} />
        </Box>
      ))}
    </Section>
  );
}

const WIDTH = 200;

function ArmsTable({ title, arms }: { readonly title: string; readonly arms: readonly Arm[] }) {
  const most = Math.max(0.01, ...arms.map(({ ci }) => ci?.[1] ?? 0));
  const rates = formatShares(arms.flatMap(({ rate }) => rate ?? []));
  return (
    <ScrollTable minWidth={290} verticalSpacing={6} layout="fixed">
      <Head
        cells={[
          title,
          ['Addresses', { ta: 'right', w: 90, visibleFrom: 'xs' }],
          ['Events', { ta: 'right', w: 80, visibleFrom: 'xs' }],
          ['Rate, 90% interval', { ta: 'right', w: { base: 130, xs: 200 } }],
          [<span className="visually-hidden">Picture</span>, { w: WIDTH + 24, visibleFrom: 'lg' }],
        ]}
      />
      <Table.Tbody className="numbers">
        {arms.map(({ arm, exposures, events, rate, ci }, at) => (
          <Table.Tr key={arm}>
            <Table.Td>
              {ARMS[arm]}
              <Small hiddenFrom="xs">
                {formatCount(events)} of {formatCount(exposures)}
              </Small>
            </Table.Td>
            <Table.Td ta="right" visibleFrom="xs">
              {formatCount(exposures)}
            </Table.Td>
            <Table.Td ta="right" visibleFrom="xs">
              {formatCount(events)}
            </Table.Td>
            <Table.Td ta="right">
              {rate === null || ci === null ? (
                '–'
              ) : (
                <>
                  {rates[at]} <Small span>{formatInterval(ci)}</Small>
                </>
              )}
            </Table.Td>
            <Table.Td visibleFrom="lg">
              {rate !== null && ci !== null && <Interval rate={rate} ci={ci} baseline={null} most={most} />}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  );
}
