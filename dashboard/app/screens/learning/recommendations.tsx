import { Button, Group, Stack, Text, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { answerOf } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import type {
  Policy,
  PolicyRule,
  Recommendations as RecommendationsAnswer,
  Segments,
  Decision,
} from '../../api/schema.ts';
import { formatCount, formatEstimate, formatRate, plural, formatList } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { roleAllows, useOrganisation } from '../../lib/organisation.ts';
import { isSame } from '../../lib/same.ts';
import { label, word } from '../../lib/vocabulary.ts';
import { DialogEnd, DialogForm } from '../../parts/dialog-form.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { ScreenLink } from '../../parts/screen-link.tsx';
import { Dimmed, QuietButton, Small, Strong } from '../../parts/text.tsx';
import { disturbances } from '../policy/disturbed.ts';
import { DisturbedNotice } from '../policy/notices.tsx';
import { PlaceSelect } from '../policy/place-select.tsx';
import { documentOf, policiesKey, savePolicy } from '../policy/queries.ts';
import { isStricter, placeFor } from '../policy/switches.ts';
import { alreadyText, mostlyAlreadyText, isMostly, overlapText } from './already.ts';
import { segmentName, useMetric, newestPoliciesQuery, segmentsQuery } from './metric.ts';

type Recommendation = RecommendationsAnswer['recommendations'][number];
interface Adoption {
  readonly recommendation: Recommendation;
  readonly asExperiment: boolean;
}

interface Followed {
  readonly slug: string;
  readonly rule: PolicyRule;
  /** The rule has since changed to other addresses or a milder decision. */
  readonly isChanged: boolean;
}

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
  /** Rules before it. */
  readonly earlier: readonly Recommendation[];
  readonly all: readonly Recommendation[];
  /** Undefined if unknown. */
  readonly counted: Segments | undefined;
  readonly policies: readonly Policy[];
  readonly onAdopt: (adoption: Adoption) => void;
}) {
  const { role } = useOrganisation();
  const { metric } = useMetric();
  const { proposed_action: action, evidence, try_as_experiment: trial } = recommendation;
  const segment = segmentName(evidence.segment);
  const decision = word(action);
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
      <Strong style={{ overflowWrap: 'anywhere' }}>{segment}</Strong>
      <Facts
        facts={[
          { name: label(metric), value: `${events} of ${addresses}` },
          { name: 'Estimated rate', value: formatRate(evidence.rate) },
          { name: 'Average rate', value: formatRate(evidence.baseline) },
          { name: 'Certainty', value: formatEstimate(evidence.probability) },
        ]}
      />
      <Dimmed>Addresses that no earlier rule decides would go to {decision}.</Dimmed>
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
          <QuietButton onClick={() => onAdopt({ recommendation, asExperiment: false })}>Add to policy</QuietButton>
          <Small>
            An experiment sends {trial.weight}% of them to {decision}, and compares.
          </Small>
        </Group>
      )}
    </Stack>
  );
}

export function Recommendations() {
  const { api, id } = useOrganisation();
  const { metric, days } = useMetric();
  const [adoption, setAdoption] = useState<Adoption | null>(null);
  const query = useQuery({
    queryKey: [id, 'recommendations', metric, days],
    queryFn: () => answerOf(api.GET('/v1/recommendations', { params: { query: { metric, window_days: days } } })),
  });
  const counted = useQuery(segmentsQuery(id, metric, days)).data;
  const policies = useQuery(newestPoliciesQuery(id)).data ?? [];
  return (
    <Section
      title="Recommendations"
      note={`Segments of the last ${days} days whose rate of “${word(metric)}” is very likely below the account’s own. They may overlap.`}
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

/** The rule to add; an experiment has a share of the addresses. */
function ruleOf({ recommendation, asExperiment }: Adoption, decision: Decision): PolicyRule {
  const { rule, id, try_as_experiment: trial } = recommendation;
  return { ...rule, decision, ...(asExperiment && { experiment: { ...trial, id } }) };
}

/** Effect on stricter rules after it; null if there are none. */
function strictText(after: readonly PolicyRule[], decision: Decision): string | null {
  const stricter = after.filter((rule) => isStricter(rule.decision, decision)).map(({ id }) => id);
  if (stricter.length === 0) return null;
  const named = formatList(stricter);
  const gets = label(decision);
  return plural(
    stricter.length,
    `Addresses that get “${gets}” here skip the stricter rule ${named}.`,
    `Addresses that get “${gets}” here skip the stricter rules ${named}.`,
  );
}

function AdoptForm({
  adoption,
  policies,
  onClose,
}: {
  readonly adoption: Adoption;
  readonly policies: readonly Policy[];
  readonly onClose: () => void;
}) {
  const { api, id: organisationId } = useOrganisation();
  const { recommendation, asExperiment } = adoption;
  const { metric, days } = useMetric();
  const { segment, exposures, events, rate, baseline } = recommendation.evidence;
  const has = ({ rules }: Policy): boolean => rules.some(({ id }) => id === recommendation.rule.id);
  const [slug, setSlug] = useState((policies.find((each) => !has(each)) ?? policies[0])?.slug ?? '');
  const [decision, setDecision] = useState<Decision>(recommendation.proposed_action);
  /**
   * The rule that it stands after; null: it stands first; undefined: the person has chosen none, and it follows the decision. The order
   * may change behind the dialog.
   */
  const [after, setAfter] = useState<string | null>();
  const policy = policies.find((each) => each.slug === slug);
  const others = policy?.rules ?? [];
  const place = after === undefined ? placeFor(others, decision) : others.findIndex(({ id }) => id === after) + 1;
  const withRule = others.toSpliced(place, 0, ruleOf(adoption, decision));
  const strict = strictText(others.slice(place), decision);
  const isThere = policy !== undefined && has(policy);
  const already = policy === undefined ? null : alreadyText(policy, recommendation);
  const adopt = useMutation({
    mutationFn: (to: Policy) => savePolicy(api, to.slug, to.version, { ...documentOf(to), rules: withRule }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: policiesKey(organisationId) }),
  });

  const placeIn = ({ rules }: Policy): number => rules.findIndex(({ id }) => id === recommendation.rule.id) + 1;
  if (adopt.data !== undefined)
    return (
      <DialogEnd onDone={onClose}>
        <Text size="sm" role="status">
          Version {adopt.data.version} of the policy “{adopt.data.slug}” is live, with the rule at position{' '}
          {placeIn(adopt.data)} of {adopt.data.rules.length}.{' '}
          {asExperiment &&
            `Its arms are compared once each has ${formatCount(recommendation.try_as_experiment.min_sample)} addresses.`}
        </Text>
        <Group gap="md">
          <PolicyLink slug={adopt.data.slug} search={{ rule: recommendation.rule.id }}>
            See the rule
          </PolicyLink>
          {asExperiment && (
            <PolicyLink slug={adopt.data.slug} search={{ view: 'experiments', metric }}>
              See the experiments
            </PolicyLink>
          )}
        </Group>
      </DialogEnd>
    );
  return (
    <DialogForm
      action={asExperiment ? 'Start the experiment' : 'Add the rule'}
      isReady={policy !== undefined && !isThere}
      sending={adopt}
      onSubmit={() => policy !== undefined && adopt.mutate(policy)}
      onCancel={onClose}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {segmentName(segment)}. {formatCount(events)} of {formatCount(exposures)} addresses of the last {days} days have
        “{word(metric)}”. The rate is estimated at {formatRate(rate)}, compared with {formatRate(baseline)} of all.
      </Text>
      <Select
        label="Policy"
        value={slug}
        onChange={(value) => {
          setSlug(value ?? '');
          setAfter(undefined);
        }}
        data={policies.map((each) => ({
          value: each.slug,
          label: each.name === each.slug ? each.slug : `${each.name} (${each.slug})`,
        }))}
        error={isThere && 'Already in this policy.'}
      />
      {already !== null && <Text size="sm">{already}</Text>}
      <Select
        label="Decision for these addresses"
        value={decision}
        onChange={(value) => value !== null && setDecision(value)}
        data={[recommendation.proposed_action, ...recommendation.proposed_action_alternatives].map((value) => ({
          value,
          label: label(value),
        }))}
        description={
          asExperiment ? `${recommendation.try_as_experiment.weight}% of them get it.` : 'All of them get it.'
        }
      />
      <PlaceSelect
        others={others.map(({ id }) => id)}
        place={place}
        onChange={(to) => setAfter(others[to - 1]?.id ?? null)}
      />
      {strict !== null && (
        <Text size="sm" role="status">
          {strict}
        </Text>
      )}
      {policy !== undefined && <DisturbedNotice found={disturbances(policy, { ...policy, rules: withRule })} />}
    </DialogForm>
  );
}

/** Adds a recommendation to a policy, as an experiment or for all. */
function Adopt({ adoption, onClose }: { readonly adoption: Adoption; readonly onClose: () => void }) {
  const { id } = useOrganisation();
  const query = useQuery(newestPoliciesQuery(id));
  return (
    <Dialog opened onClose={onClose} title={adoption.asExperiment ? 'Try as experiment' : 'Add to policy'}>
      <Loaded query={query} lines={5}>
        {(policies) => <AdoptForm adoption={adoption} policies={policies} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

interface PolicyLinkProps {
  readonly slug: string;
  readonly search: Readonly<Record<string, string>>;
  readonly children: ReactNode;
}

function PolicyLink({ slug, search, children }: PolicyLinkProps) {
  return (
    <ScreenLink to="policy" search={{ policy: slug, ...search }}>
      {children}
    </ScreenLink>
  );
}
