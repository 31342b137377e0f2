import { Group, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import type { Decision, Policy, PolicyRule } from '../../api/schema.ts';
import { formatCount, formatList, formatRate, plural } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { label, word } from '../../lib/vocabulary.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogEnd, DialogForm } from '../../parts/dialog-form.tsx';
import { Loaded } from '../../parts/notices.tsx';
import { disturbances } from '../policy/disturbed.ts';
import { DisturbedNotice } from '../policy/disturbed-notice.tsx';
import { PlaceSelect } from '../policy/place-select.tsx';
import { documentOf, policiesKey, savePolicy } from '../policy/queries.ts';
import { isStricter, placeFor } from '../policy/switches.ts';
import { alreadyText } from './already.ts';
import { segmentName, useMetric } from './metric.ts';
import { PolicyLink } from './policy-link.tsx';
import { newestPoliciesQuery } from './queries.ts';
import type { Adoption } from './recommendations.tsx';

/** The rule as it comes into the policy: for an experiment with its share of the addresses. */
function ruleOf({ recommendation, asExperiment }: Adoption, decision: Decision): PolicyRule {
  const { rule, id, try_as_experiment: trial } = recommendation;
  return { ...rule, decision, ...(asExperiment && { experiment: { ...trial, id } }) };
}

/** What follows for the stricter rules that the rule stands before; null: it stands before none. */
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
  const api = useApi();
  const { id: organisationId } = useOrganisation();
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
      isPending={adopt.isPending}
      error={adopt.error}
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
        allowDeselect={false}
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
        allowDeselect={false}
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

/** Takes a recommendation into a policy: tried on a part, or for all. */
export function Adopt({ adoption, onClose }: { readonly adoption: Adoption; readonly onClose: () => void }) {
  const api = useApi();
  const { id } = useOrganisation();
  const query = useQuery(newestPoliciesQuery(api, id));
  return (
    <Dialog opened onClose={onClose} title={adoption.asExperiment ? 'Try as experiment' : 'Add to policy'}>
      <Loaded query={query} lines={5}>
        {(policies) => <AdoptForm adoption={adoption} policies={policies} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}
