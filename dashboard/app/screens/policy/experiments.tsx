import { Code, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/client.ts';
import { formatCount, formatEstimate, formatInterval } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { label } from '../../lib/vocabulary.ts';
import { Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';

/** Experiments with their arms. Rates beside counts: arms are of unequal size. */
export function Experiments({ slug }: { readonly slug: string }) {
  const organisation = useOrganisation();
  const api = useApi();
  const query = useQuery({
    queryKey: [organisation.id, 'experiments', slug],
    queryFn: () => answerOf(api.GET('/v1/policies/{slug}/experiments', { params: { path: { slug } } })),
  });
  return (
    <Section title="Experiments" note="Rates of subscriptions, computed each night.">
      <Loaded query={query} lines={3}>
        {({ experiments }) =>
          experiments.length === 0 ? (
            <Text size="sm" c="dimmed">
              No rule is an experiment. A rule with `experiment` in the JSON applies to a share of the addresses that
              match.
            </Text>
          ) : (
            <Stack>
              {experiments.map((experiment) => (
                <div key={experiment.id}>
                  <Text size="sm">
                    <Code>{experiment.id}</Code> of rule <Code>{experiment.rule_id}</Code>, {experiment.weight} %.{' '}
                    {experiment.probability_better === null
                      ? 'Too few exposures yet to compare.'
                      : `The rule is better with a probability of ${formatEstimate(experiment.probability_better)}.`}
                  </Text>
                  <Table verticalSpacing={4}>
                    <Table.Thead>
                      <Table.Tr>
                        <Table.Th>Arm</Table.Th>
                        <Table.Th ta="right">Exposures</Table.Th>
                        <Table.Th ta="right">Events</Table.Th>
                        <Table.Th ta="right">Rate</Table.Th>
                        <Table.Th>90 % interval</Table.Th>
                      </Table.Tr>
                    </Table.Thead>
                    <Table.Tbody className="numbers">
                      {experiment.arms.map((arm) => (
                        <Table.Tr key={arm.arm}>
                          <Table.Td>{label(arm.arm)}</Table.Td>
                          <Table.Td ta="right">{formatCount(arm.exposures)}</Table.Td>
                          <Table.Td ta="right">{formatCount(arm.events)}</Table.Td>
                          <Table.Td ta="right">{arm.rate === null ? '' : formatEstimate(arm.rate)}</Table.Td>
                          <Table.Td>{arm.ci === null ? '' : formatInterval(arm.ci)}</Table.Td>
                        </Table.Tr>
                      ))}
                    </Table.Tbody>
                  </Table>
                </div>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Section>
  );
}
