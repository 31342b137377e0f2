import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { lossesQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import type { Outcome, Trace } from '../../api/schema.ts';
import { NumberScale } from '../../charts/number-scale.tsx';
import { formatDollars } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { roleAllows, useOrganisation } from '../../lib/organisation.ts';
import { overruledBy, thresholdsOf } from '../../lib/thresholds.ts';
import { label, reasonText, warningText } from '../../lib/vocabulary.ts';
import { Evidence, hostName } from '../../parts/evidence.tsx';
import { Facts, Named } from '../../parts/facts.tsx';
import { Mark } from '../../parts/mark.tsx';
import { ErrorNotice } from '../../parts/notices.tsx';
import { Dimmed } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { DecidedBy } from '../policy/decided-by.tsx';
import { RuleByRule } from '../policy/rule-by-rule.tsx';
import { ListActions } from '../rules/list-actions.tsx';
import { Part, RecordHead, RecordId } from './record-parts.tsx';
import { findingsOfTrace } from './rule-findings.ts';

const OUTCOMES: readonly Outcome[] = ['delivered', 'hard_bounce', 'soft_bounce', 'complaint', 'unknown'];

/** A verification as it was made: evidence, lookups, decision. */
export function TraceView({ trace }: { readonly trace: Trace }) {
  const organisation = useOrganisation();
  const losses = useQuery(lossesQuery(organisation.id));
  const purpose = trace.context?.purpose ?? (trace.kind === 'bulk' ? 'list_hygiene' : 'signup');
  const own = trace.features?.losses;
  const shown = own ?? losses.data?.losses[purpose];
  const thresholds = shown === undefined ? null : thresholdsOf(shown);
  const reasons = trace.reasons ?? (trace.reason === null ? [] : [trace.reason]);
  // Only the losses stored with the trace explain it; today's may differ.
  const overruled =
    own === undefined
      ? null
      : overruledBy(
          { recommendation: trace.recommendation, probability: trace.bounce_probability, reasons },
          thresholdsOf(own),
        );
  const decision = trace.policy_decision ?? trace.bulk_decision;
  return (
    <Stack gap="lg">
      <RecordHead display={trace.display} time={trace.created_at} />
      {decision !== null && (
        <div>
          <Named name="Decision">
            <Mark term={decision.decision} size="md" />
          </Named>
          <DecidedBy ruleId={decision.rule_id} policy={decision.policy} />
        </div>
      )}
      <Group gap="xl">
        <Named name="Recommendation">
          <Mark term={trace.recommendation} size="md" />
        </Named>
        <Named name="Verdict">
          <Mark term={trace.verdict} size="md" />
        </Named>
      </Group>
      {overruled !== null && <Text size="sm">{overruled}</Text>}
      <NumberScale
        probability={trace.bounce_probability}
        interval={trace.confidence_interval}
        thresholds={thresholds}
        between={purpose === 'signup' ? 'challenge' : 'hold'}
      />
      <Part title="Why">
        {reasons.map((reason) => (
          <Text key={reason} size="sm">
            {reasonText(reason)}
          </Text>
        ))}
        {trace.did_you_mean !== null && <Text size="sm">Did you mean {trace.did_you_mean}.</Text>}
        {trace.signals?.warning !== undefined && <Text size="sm">{warningText(trace.signals.warning)}</Text>}
        <Evidence trace={trace} purpose={purpose} />
      </Part>
      {decision !== null && (
        <Part title="Rules">
          <RuleByRule policy={decision.policy} findingsOf={(policy) => findingsOfTrace(policy, trace, decision)} />
        </Part>
      )}
      <Facts
        facts={[
          { name: 'Kind', value: label(trace.kind) },
          { name: 'Type', value: trace.email_type === null ? 'Unknown' : label(trace.email_type) },
          ...(trace.features === null
            ? []
            : [{ name: 'Mailbox provider', value: hostName(trace.features) ?? 'Unknown' }]),
          { name: 'Mail host type', value: label(trace.esp) },
          { name: 'Purpose', value: label(purpose) },
          { name: 'Cost', value: formatDollars(trace.cost_usd) },
          { name: 'Time', value: `${trace.latency_ms} ms` },
          ...(trace.degraded ? [{ name: 'Degraded', value: 'All providers failed' }] : []),
        ]}
      />
      <ReportOutcome key={trace.trace_id} trace={trace} />
      {trace.email_type !== 'free' && (
        <Part title="From now on">
          <Dimmed>A rule on {trace.domain} goes before every policy, for all of its addresses.</Dimmed>
          <ListActions
            key={trace.trace_id}
            kind="domain"
            entry={trace.domain}
            labels={{ block: 'Block domain', allow: 'Allow domain' }}
          />
        </Part>
      )}
      <RecordId id={trace.trace_id} />
    </Stack>
  );
}

/** The outcome of a verification, from which the bounce risk learns. */
function ReportOutcome({ trace }: { readonly trace: Trace }) {
  const organisation = useOrganisation();
  const { api } = organisation;
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const id = trace.verification_trace_id ?? trace.trace_id;
  const report = useMutation({
    mutationFn: (chosen: Outcome) => answerOf(api.POST('/v1/outcome', { body: { trace_id: id, outcome: chosen } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [organisation.id, 'trace', trace.trace_id] }),
  });
  return (
    <Part title="Outcome">
      {trace.outcome === null ? (
        <Dimmed>No outcome reported.</Dimmed>
      ) : (
        <Group gap="xs">
          <Mark term={trace.outcome.outcome} />
          <Dimmed>
            reported <Time at={trace.outcome.reported_at} />
          </Dimmed>
        </Group>
      )}
      {roleAllows(organisation.role, 'member') && id.startsWith('vr_') && (
        <Group gap="xs" align="flex-end">
          <NativeSelect
            label="Report outcome"
            data={[
              { value: '', label: 'Choose an outcome' },
              ...OUTCOMES.map((value) => ({ value, label: label(value) })),
            ]}
            value={outcome ?? ''}
            onChange={({ currentTarget: { value } }) => setOutcome(OUTCOMES.find((each) => each === value) ?? null)}
          />
          <Button
            variant="default"
            onClick={() => outcome !== null && report.mutate(outcome)}
            loading={report.isPending}
            disabled={outcome === null}
          >
            Report
          </Button>
        </Group>
      )}
      {report.error !== null && <ErrorNotice error={report.error} />}
    </Part>
  );
}
