import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import type { Recommendations as RecommendationsAnswer } from '../../api/schema.ts';
import { formatCount, formatEstimate, formatRate } from '../../lib/format.ts';
import { roleAllows, useApi, useOrganisation } from '../../lib/organisation.ts';
import { label } from '../../lib/vocabulary.ts';
import { Facts } from '../../parts/facts.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { Adopt } from './adopt.tsx';
import { segmentName, useMetric } from './metric.ts';

export type Recommendation = RecommendationsAnswer['recommendations'][number];
export interface Adoption {
  readonly recommendation: Recommendation;
  readonly asExperiment: boolean;
}

function Card({
  recommendation,
  onAdopt,
}: {
  readonly recommendation: Recommendation;
  readonly onAdopt: (adoption: Adoption) => void;
}) {
  const { role } = useOrganisation();
  const { metric, days } = useMetric();
  const { proposed_action: action, evidence, try_as_experiment: trial } = recommendation;
  const segment = segmentName(evidence.segment);
  const decision = label(action).toLowerCase();
  const [addresses, events] = [evidence.exposures, evidence.events].map(formatCount);
  return (
    <Stack component="article" gap="sm" p="md" className="card" aria-label={segment}>
      <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {segment}
      </Text>
      <Facts
        facts={[
          { name: `${label(metric)} there`, value: formatRate(evidence.rate) },
          { name: 'Of all', value: formatRate(evidence.baseline) },
          { name: 'Chance that it is lower', value: formatEstimate(evidence.probability) },
        ]}
      />
      <Text size="sm" c="dimmed">
        The rule would have sent {addresses} addresses of the last {days} days to {decision}; {events} of them have “
        {label(metric).toLowerCase()}”.
      </Text>
      {roleAllows(role, 'admin') && (
        <Group gap="xs">
          <Button size="xs" onClick={() => onAdopt({ recommendation, asExperiment: true })}>
            Try as experiment
          </Button>
          <Button size="xs" variant="default" onClick={() => onAdopt({ recommendation, asExperiment: false })}>
            Add to policy
          </Button>
          <Text size="xs" c="dimmed">
            An experiment sends {trial.weight} % of them to {decision}, and compares.
          </Text>
        </Group>
      )}
    </Stack>
  );
}

/** What the segments say to do. */
export function Recommendations() {
  const api = useApi();
  const { id } = useOrganisation();
  const { metric, days } = useMetric();
  const [adoption, setAdoption] = useState<Adoption | null>(null);
  const query = useQuery({
    queryKey: [id, 'recommendations', metric, days],
    queryFn: () => answerOf(api.GET('/v1/recommendations', { params: { query: { metric, window_days: days } } })),
  });
  return (
    <Section
      title="Recommendations"
      note={`Segments whose rate of “${label(metric).toLowerCase()}” is very likely below the account’s own.`}
    >
      <Loaded query={query} lines={4}>
        {({ recommendations, computed_at: computedAt }) =>
          recommendations.length === 0 ? (
            <Empty title="Nothing to recommend">
              {computedAt === null
                ? 'Recommendations come with the first nightly run.'
                : 'No segment of 100 addresses or more is very likely below the rate of all. That is the usual case.'}
            </Empty>
          ) : (
            <Stack gap="md">
              {recommendations.map((recommendation) => (
                <Card key={recommendation.id} recommendation={recommendation} onAdopt={setAdoption} />
              ))}
            </Stack>
          )
        }
      </Loaded>
      {adoption !== null && <Adopt adoption={adoption} onClose={() => setAdoption(null)} />}
    </Section>
  );
}
