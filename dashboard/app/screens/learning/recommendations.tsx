import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import type { Recommendations as RecommendationsAnswer, Segments } from '../../api/schema.ts';
import { formatCount, formatEstimate, formatForm, formatRate } from '../../lib/format.ts';
import { roleAllows, useApi, useOrganisation } from '../../lib/organisation.ts';
import { label } from '../../lib/vocabulary.ts';
import { Facts } from '../../parts/facts.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { Adopt } from './adopt.tsx';
import { segmentName, useMetric } from './metric.ts';
import { overlapText } from './overlap.ts';
import { segmentsQuery } from './queries.ts';

export type Recommendation = RecommendationsAnswer['recommendations'][number];
export interface Adoption {
  readonly recommendation: Recommendation;
  readonly asExperiment: boolean;
}

function Card({
  recommendation,
  earlier,
  counted,
  onAdopt,
}: {
  readonly recommendation: Recommendation;
  /** Those that stand before it. */
  readonly earlier: readonly Recommendation[];
  /** Undefined: not known here. */
  readonly counted: Segments | undefined;
  readonly onAdopt: (adoption: Adoption) => void;
}) {
  const { role } = useOrganisation();
  const { metric, days } = useMetric();
  const { proposed_action: action, evidence, try_as_experiment: trial } = recommendation;
  const segment = segmentName(evidence.segment);
  const decision = label(action).toLowerCase();
  const [addresses, events] = [evidence.exposures, evidence.events].map(formatCount);
  const overlaps =
    counted === undefined
      ? []
      : earlier.map((other) => overlapText(evidence, other.evidence, counted)).filter((text) => text !== null);
  return (
    <Stack component="article" gap="sm" p="md" className="card" aria-label={segment}>
      <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {segment}
      </Text>
      <Facts
        facts={[
          { name: label(metric), value: `${events} of ${addresses}` },
          { name: 'Estimated rate', value: formatRate(evidence.rate) },
          { name: 'Rate of all', value: formatRate(evidence.baseline) },
          { name: 'Chance that it is lower', value: formatEstimate(evidence.probability) },
        ]}
      />
      <Text size="sm" c="dimmed">
        The rule would have sent {addresses} addresses of the last {days} days to {decision};{' '}
        {formatForm(evidence.events, { one: '# of them has', other: '# of them have' })} “{label(metric).toLowerCase()}
        ”.
      </Text>
      {overlaps.map((text) => (
        <Text key={text} size="sm">
          {text}
        </Text>
      ))}
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
  const counted = useQuery(segmentsQuery(api, id, metric, days)).data;
  return (
    <Section
      title="Recommendations"
      note={`Segments whose rate of “${label(metric).toLowerCase()}” is very likely below the account’s own. Two of them may have the same addresses: their gains do not add up.`}
    >
      <Loaded query={query} lines={4}>
        {({ recommendations, computed_at: computedAt }) =>
          recommendations.length === 0 ? (
            <Empty title="Nothing to recommend">
              {computedAt === null
                ? 'Send events by API: recommendations come with the first nightly run.'
                : 'No segment of 100 addresses or more is very likely below the rate of all. That is the usual case.'}
            </Empty>
          ) : (
            <Stack gap="md">
              {recommendations.map((recommendation, at) => (
                <Card
                  key={recommendation.id}
                  recommendation={recommendation}
                  earlier={recommendations.slice(0, at)}
                  counted={counted}
                  onAdopt={setAdoption}
                />
              ))}
            </Stack>
          )
        }
      </Loaded>
      {adoption !== null && <Adopt adoption={adoption} onClose={() => setAdoption(null)} />}
    </Section>
  );
}
