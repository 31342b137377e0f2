import { Code, Group, Stack, Table, Text } from '@mantine/core';
import type { Trace } from '../api/schema.ts';
import { formatCents, formatEstimate, formatRow } from '../lib/format.ts';
import { label, word } from '../lib/vocabulary.ts';
import { Icon } from './icons.tsx';
import { Mark } from './mark.tsx';

/** Why a provider was left out. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  asked: 'already asked',
  reported: 'you reported an outcome',
  known: 'answered recently',
  silent: 'two others had no answer',
  settled: 'no lookup needed',
  budget: 'over this month’s budget',
  cost: 'over the cost ceiling',
  time: 'over the time limit',
  circuit_open: 'failing',
};

type Step = NonNullable<Trace['route']>[number];

const leftOut = ({ excluded }: Step): string =>
  formatRow(excluded.map(({ provider, why }) => `${label(provider)} (${LEFT_OUT[why] ?? why})`));

interface Option {
  readonly name: string;
  readonly isChosen: boolean;
  /** Dollars that it is expected to cost in all: price, time and mistakes. */
  readonly total: number;
  /** Null: deciding at once asks for no price. */
  readonly price: number | null;
}

const optionsOf = ({ choice, stop_value_usd: stop, candidates }: Step): readonly Option[] => [
  { name: 'Decide now', isChosen: choice === 'stop', total: stop, price: null },
  ...candidates.map(({ provider, value_usd: total, price_usd: price }) => ({
    name: `Ask ${label(provider)}`,
    isChosen: choice === provider,
    total,
    price,
  })),
];

/** Provider lookups, in order: at each step the choice that is expected to cost least, and what came back. */
export function Choices({ trace: { route, providers, provider_failures: failures } }: { readonly trace: Trace }) {
  if (route === null || route.length === 0) return null;
  return (
    <Stack gap="md">
      {route.map((step, at) => {
        const answer = providers?.[step.choice];
        const failure = failures?.find(({ provider }) => provider === step.choice);
        return (
          <div key={at}>
            <Text size="sm" mb={2}>
              <b>Step {at + 1}</b>, at {formatEstimate(step.probability)}
            </Text>
            <OptionTable step={step} />
            {step.excluded.length > 0 && (
              <Text size="xs" c="dimmed">
                Left out: {leftOut(step)}.
              </Text>
            )}
            {step.candidates.length === 0 && step.excluded.length === 0 && (
              <Text size="xs" c="dimmed">
                No provider is connected.
              </Text>
            )}
            {answer !== undefined && (
              <Group gap={6} mt={4}>
                <Text size="sm">{label(step.choice)} says</Text>
                <Mark term={answer.verdict} />
                {answer.sub_status !== undefined && (
                  <Text size="xs" c="dimmed">
                    <Code>{answer.sub_status}</Code>
                  </Text>
                )}
              </Group>
            )}
            {answer === undefined && failure !== undefined && (
              <Text size="sm" mt={4}>
                {label(step.choice)} gave no answer: {word(failure.kind)}.
              </Text>
            )}
          </div>
        );
      })}
    </Stack>
  );
}

function OptionTable({ step }: { readonly step: Step }) {
  const options = optionsOf(step);
  const most = Math.max(...options.map(({ total }) => total), Number.EPSILON);
  return (
    <Table verticalSpacing={3} className="numbers" fz="sm" layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th pl={0}>Choice</Table.Th>
          <Table.Th>Expected cost</Table.Th>
          <Table.Th ta="right" w={74} pr={0}>
            Price
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {options.map(({ name, isChosen, total, price }) => (
          <Table.Tr key={name} {...(isChosen && { fw: 600 })}>
            <Table.Td pl={0}>
              <Group gap={4} wrap="nowrap">
                {name}
                {isChosen && (
                  <Text component="span" lh={0} c="var(--mark-good)">
                    <Icon name="check" size={15} />
                    <span className="visually-hidden"> chosen</span>
                  </Text>
                )}
              </Group>
            </Table.Td>
            <Table.Td>
              <Group gap={8} wrap="nowrap">
                <svg width={56} height={8} aria-hidden="true" style={{ flexShrink: 0 }}>
                  <rect width={56} height={8} rx={2} fill="var(--line)" />
                  <rect width={Math.max(1, (total / most) * 56)} height={8} rx={2} fill="var(--series)" />
                </svg>
                {formatCents(total)}
              </Group>
            </Table.Td>
            <Table.Td ta="right" pr={0}>
              {price === null ? '' : formatCents(price)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
