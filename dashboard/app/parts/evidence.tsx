import { Stack, Table, Text } from '@mantine/core';
import type { Trace } from '../api/schema.ts';
import { formatDollars, formatEstimate } from '../lib/format.ts';
import { label } from '../lib/vocabulary.ts';
import { Mark } from './mark.tsx';

/** Why a provider was left out. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  asked: 'asked already',
  known: 'its answer is known',
  cost: 'over the cost ceiling',
  time: 'no time left',
  circuit_open: 'it has failed too often of late',
};

/** What is known of the address, and how asking moved the number: from the trace, which replays. */
export function Evidence({ trace }: { readonly trace: Trace }) {
  const { features, providers, provider_failures: failures, route } = trace;
  if (features === null) return <Text size="sm">The details are kept for 90 days, and are gone.</Text>;
  const answers = Object.entries(providers ?? {});
  return (
    <Stack gap="md">
      <Text size="sm">
        {hostText(features)}{' '}
        {features.known_answers.length > 0 &&
          `${features.known_answers.length} earlier ${features.known_answers.length === 1 ? 'answer' : 'answers'} about it took part.`}
      </Text>
      {route !== null && route.length > 0 && (
        <Table.ScrollContainer minWidth={480}>
          <Table verticalSpacing={6}>
            <Table.Caption>Each step: whether asking one more provider was worth its price.</Table.Caption>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Step</Table.Th>
                <Table.Th ta="right">Number before</Table.Th>
                <Table.Th ta="right">Loss of deciding now</Table.Th>
                <Table.Th>Choice</Table.Th>
                <Table.Th>Answer</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody className="numbers">
              {route.map((step, at) => {
                const given = providers?.[step.choice];
                const failed = failures?.find(({ provider }) => provider === step.choice);
                const best = step.candidates.find(({ provider }) => provider === step.choice);
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
                  <Table.Tr key={at}>
                    <Table.Td>{at + 1}</Table.Td>
                    <Table.Td ta="right">{formatEstimate(step.probability)}</Table.Td>
                    <Table.Td ta="right">{formatDollars(step.stop_value_usd)}</Table.Td>
                    <Table.Td>
                      {step.choice === 'stop'
                        ? stopText(step)
                        : `Ask ${label(step.choice)}${best ? `, worth ${formatDollars(best.value_usd)} for ${formatDollars(best.price_usd)}` : ''}`}
                    </Table.Td>
                    <Table.Td>
                      {given === undefined ? failed && `failed: ${label(failed.kind)}` : <Mark term={given.verdict} />}
                    </Table.Td>
                  </Table.Tr>
                );
              })}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {answers.length > 0 && route === null && (
        <Text size="sm">
          {answers.map(([provider, { verdict }]) => `${label(provider)}: ${label(verdict)}`).join('; ')}
        </Text>
      )}
    </Stack>
  );
}

function hostText({
  mail_hosts: found,
  mx_provider: provider,
  host_class: kind,
  gateway,
}: NonNullable<Trace['features']>): string {
  if (found === 'none') return 'The domain has no mail hosts.';
  if (found === 'unresolved') return 'The mail hosts of the domain could not be looked up.';
  if (found === 'not_looked_up') return 'Its mail hosts were not looked up.';
  if ((provider ?? kind) === 'unknown') return 'Its mail hosts are none of the known providers’.';
  return `Its mail is taken by ${label(provider ?? kind)}${gateway ? ', behind a gateway' : ''}.`;
}

type Step = NonNullable<Trace['route']>[number];

function stopText({ candidates, excluded }: Step): string {
  const why = excluded.map(({ provider, why: left }) => `${label(provider)}: ${LEFT_OUT[left] ?? left}`).join('; ');
  if (candidates.length > 0) return `Decide: no question is worth its price${why === '' ? '' : ` (${why})`}`;
  return why === '' ? 'Decide: there is no provider to ask' : `Decide (${why})`;
}
