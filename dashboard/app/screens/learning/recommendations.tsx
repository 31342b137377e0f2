import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import type { Policy, PolicyRule, Recommendations as RecommendationsAnswer, Segments } from '../../api/schema.ts';
import { formatCount, formatEstimate, formatRate, plural } from '../../lib/format.ts';
import { roleAllows, useApi, useOrganisation } from '../../lib/organisation.ts';
import { isSame } from '../../lib/same.ts';
import { label, word } from '../../lib/vocabulary.ts';
import { Facts } from '../../parts/facts.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { isStricter } from '../policy/switches.ts';
import { Adopt } from './adopt.tsx';
import { alreadyText, mostlyAlreadyText } from './already.ts';
import { segmentName, useMetric } from './metric.ts';
import { isMostly, overlapText } from './overlap.ts';
import { PolicyLink } from './policy-link.tsx';
import { newestPoliciesQuery, segmentsQuery } from './queries.ts';

export type Recommendation = RecommendationsAnswer['recommendations'][number];
export interface Adoption {
  readonly recommendation: Recommendation;
  readonly asExperiment: boolean;
}

interface Followed {
  readonly slug: string;
  readonly rule: PolicyRule;
  /** Since then the rule stands for other addresses, or decides less strictly. */
  readonly isChanged: boolean;
}

/** Where the recommendation was followed. */
function InPolicy({ slug, rule: { id, experiment }, isChanged }: Followed) {
  return (
    <Text size="sm">
      {isChanged
        ? `The policy “${slug}” has a changed version of this rule.`
        : experiment === undefined
          ? `The policy “${slug}” already has this rule.`
          : `The policy “${slug}” already runs this as a ${experiment.weight}% experiment.`}{' '}
      <PolicyLink slug={slug} search={{ rule: id }}>
        See the rule
      </PolicyLink>
      {experiment !== undefined && (
        <>
          {' '}
          <PolicyLink slug={slug} search={{ view: 'experiments' }}>
            See the experiments
          </PolicyLink>
        </>
      )}
    </Text>
  );
}

function Card({
  recommendation,
  earlier,
  all,
  counted,
  policies,
  onAdopt,
}: {
  readonly recommendation: Recommendation;
  /** Those that stand before it. */
  readonly earlier: readonly Recommendation[];
  readonly all: readonly Recommendation[];
  /** Undefined: not known here. */
  readonly counted: Segments | undefined;
  readonly policies: readonly Policy[];
  readonly onAdopt: (adoption: Adoption) => void;
}) {
  const { role } = useOrganisation();
  const { metric, days } = useMetric();
  const { proposed_action: action, evidence, try_as_experiment: trial } = recommendation;
  const segment = segmentName(evidence.segment);
  const decision = word(action);
  const event = word(metric);
  const [addresses, events] = [formatCount(evidence.exposures), formatCount(evidence.events)];
  const overlaps =
    counted === undefined
      ? []
      : earlier.map((other) => overlapText(evidence, other.evidence, counted)).filter((text) => text !== null);
  const twins =
    counted === undefined
      ? []
      : all.filter((each) => each !== recommendation && isMostly(evidence, each.evidence, counted));
  const already = policies.flatMap((policy): readonly string[] => {
    const texts = [
      alreadyText(policy, recommendation),
      ...twins.map((twin) => mostlyAlreadyText(policy, recommendation, twin)),
    ];
    return texts.filter((text) => text !== null).slice(0, 1);
  });
  const followed = policies.flatMap(({ slug, rules }) =>
    rules
      .filter(({ id }) => id === recommendation.rule.id)
      .map((rule): Followed => {
        const isChanged = !isSame(rule.when, recommendation.rule.when) || isStricter(action, rule.decision);
        return { slug, rule, isChanged };
      }),
  );
  const isNew = policies.length === 0 || followed.filter(({ isChanged }) => !isChanged).length < policies.length;
  return (
    <Stack component="article" gap="sm" p="md" className="card" aria-label={segment}>
      <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {segment}
      </Text>
      <Facts
        facts={[
          { name: label(metric), value: `${events} of ${addresses}` },
          { name: 'Estimated rate', value: formatRate(evidence.rate) },
          { name: 'Average rate', value: formatRate(evidence.baseline) },
          { name: 'Certainty', value: formatEstimate(evidence.probability) },
        ]}
      />
      <Text size="sm" c="dimmed">
        The segment has {addresses} addresses of the last {days} days;{' '}
        {plural(evidence.events, '# of them has', '# of them have')} “{event}”. The rule sends those that no earlier
        rule decides to {decision}.
      </Text>
      {[...overlaps, ...already].map((text) => (
        <Text key={text} size="sm">
          {text}
        </Text>
      ))}
      {followed.map((each) => (
        <InPolicy key={each.slug} {...each} />
      ))}
      {isNew && roleAllows(role, 'admin') && (
        <Group gap="xs">
          <Button size="xs" onClick={() => onAdopt({ recommendation, asExperiment: true })}>
            Try as experiment
          </Button>
          <Button size="xs" variant="default" onClick={() => onAdopt({ recommendation, asExperiment: false })}>
            Add to policy
          </Button>
          <Text size="xs" c="dimmed">
            An experiment sends {trial.weight}% of them to {decision}, and compares.
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
  const policies = useQuery(newestPoliciesQuery(api, id)).data ?? [];
  return (
    <Section
      title="Recommendations"
      note={`Segments whose rate of “${word(metric)}” is very likely below the account’s own. They may overlap.`}
    >
      <Loaded query={query} lines={4}>
        {({ recommendations, computed_at: computedAt }) =>
          recommendations.length === 0 ? (
            <Empty title="Nothing to recommend">
              {computedAt === null
                ? 'Send events by API to get recommendations.'
                : 'No segment does clearly worse than average.'}
            </Empty>
          ) : (
            <Stack gap="md">
              {recommendations.map((recommendation, at) => (
                <Card
                  key={recommendation.id}
                  recommendation={recommendation}
                  earlier={recommendations.slice(0, at)}
                  all={recommendations}
                  counted={counted}
                  policies={policies}
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
