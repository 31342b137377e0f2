import { Alert, Anchor, Code, Grid, Group, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lossesQuery } from '../../api/queries.ts';
import type { DecisionResult, Trace } from '../../api/schema.ts';
import { NumberScale } from '../../charts/number-scale.tsx';
import { useApiUrl } from '../../lib/api-url.ts';
import { formatDollars } from '../../lib/format.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { overruledBy, thresholdsOf } from '../../lib/thresholds.ts';
import { label, reasonText, warningText } from '../../lib/vocabulary.ts';
import { Copy, CopyWide } from '../../parts/copy.tsx';
import { Evidence, hostName } from '../../parts/evidence.tsx';
import { Facts, Named } from '../../parts/facts.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Mark } from '../../parts/mark.tsx';
import { Section } from '../../parts/page.tsx';
import { Small } from '../../parts/text.tsx';
import { DecidedBy } from '../policy/decided-by.tsx';
import { RuleByRule } from '../policy/rule-by-rule.tsx';
import { ListActions } from '../rules/list-actions.tsx';
import { type Question, snippetsOf } from './queries.ts';
import { findingsOfAnswer } from './rule-findings.ts';

interface AnswerProps {
  readonly question: Question;
  readonly result: { readonly answer: DecisionResult; readonly trace: Trace | null };
  readonly onAsk: (question: Question) => void;
}

/** Reasons from the account's own lists, which are no estimates. */
const BLOCKLISTED: ReadonlySet<string> = new Set(['address_blocklisted', 'domain_blocklisted']);

/** Decision, number, reasons. */
export function Answer({ question, result: { answer, trace }, onAsk }: AnswerProps) {
  const organisation = useOrganisation();
  const losses = useQuery(lossesQuery(organisation.id));
  const own = losses.data?.losses[question.purpose];
  const thresholds = own === undefined ? null : thresholdsOf(own);
  const { verification, screening, company, explanation } = answer;
  const overruled =
    thresholds && overruledBy({ ...verification, probability: verification.bounce_probability }, thresholds);
  const isUnresolved = verification.reasons.includes('mx_unresolved');
  const listed = verification.reasons.find((reason) => BLOCKLISTED.has(reason));
  /** The account's lists have changed since. */
  const [isOld, setIsOld] = useState(false);
  return (
    <Stack gap="lg">
      {isOld && (
        <Alert variant="light" color="yellow" icon={<Icon name="warning" />} title="This result is out of date">
          Your block and allow lists have changed since.
        </Alert>
      )}
      {verification.did_you_mean !== undefined && (
        <Suggestion email={verification.did_you_mean} question={question} onAsk={onAsk} />
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Section title={isOld ? 'Earlier decision' : 'Decision'}>
            <Stack gap="sm">
              <Mark term={answer.decision} size="md" />
              <DecidedBy ruleId={answer.rule_id} policy={answer.policy} />
              {answer.flow !== null && (
                <Text size="sm">
                  Flow <Code>{answer.flow}</Code>
                </Text>
              )}
              {answer.experiment !== null && (
                <Text size="sm">
                  Experiment <Code>{answer.experiment.id}</Code>, arm <Code>{answer.experiment.arm}</Code>
                </Text>
              )}
              <ListActions
                kind="address"
                entry={question.email}
                labels={{ block: 'Block address', allow: 'Allow address' }}
                onChange={setIsOld}
                onAgain={() => onAsk(question)}
              />
            </Stack>
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Section title="Bounce risk">
            <Stack>
              <Group gap="xl">
                <Named name="Recommendation">
                  <Mark term={verification.recommendation} size="md" />
                </Named>
                <Named name="Verdict">
                  <Mark term={verification.verdict} size="md" />
                </Named>
              </Group>
              {overruled !== null && listed === undefined && <Text size="sm">{overruled}</Text>}
              {listed === undefined ? (
                <NumberScale
                  probability={verification.bounce_probability}
                  interval={verification.confidence_interval}
                  thresholds={thresholds}
                  between={question.purpose === 'signup' ? 'challenge' : 'hold'}
                />
              ) : (
                <Text size="sm">{reasonText(listed)} So nothing was estimated.</Text>
              )}
              {(isUnresolved || verification.degraded === true) && (
                <Alert color="yellow" variant="light" icon={<Icon name="warning" />} title="Limited evidence">
                  {isUnresolved && <Text size="sm">The domain’s mail hosts couldn’t be looked up. Retry later.</Text>}
                  {verification.degraded === true && (
                    <Text size="sm">Every provider failed, so this rests on free checks.</Text>
                  )}
                </Alert>
              )}
            </Stack>
          </Section>
        </Grid.Col>
      </Grid>
      <Section title="Why">
        <Stack>
          {verification.reasons.length > 0 && (
            <Stack gap={4}>
              {verification.reasons.map((reason) => (
                <Text key={reason} size="sm">
                  {reasonText(reason)}
                </Text>
              ))}
            </Stack>
          )}
          {verification.signals.warning !== undefined && (
            <Text size="sm">{warningText(verification.signals.warning)}</Text>
          )}
          {trace !== null && <Evidence trace={trace} purpose={question.purpose} />}
          <Facts
            facts={[
              { name: 'Type', value: label(verification.email_type) },
              { name: 'Mailbox', value: label(verification.actor_class) },
              ...(trace?.features ? [{ name: 'Mailbox provider', value: hostName(trace.features) ?? 'Unknown' }] : []),
              { name: 'Mail host type', value: label(verification.esp) },
              {
                name: 'Calibration',
                value: verification.calibration === 'fitted' ? 'Your own outcomes' : 'Service defaults',
              },
              { name: 'Provider cost', value: formatDollars(answer.cost_usd) },
              { name: 'Time', value: `${answer.latency_ms} ms` },
              ...(screening ? [{ name: 'Name', value: label(screening.name_match) }] : []),
              ...(company === null ? [] : [{ name: 'Company', value: company.name ?? company.domain ?? 'Unknown' }]),
            ]}
          />
          {screening !== undefined && screening.reasons.length > 0 && (
            <Text size="sm">{screening.reasons.map(reasonText).join(' ')}</Text>
          )}
          <Group gap={4}>
            <Small>
              Trace <Code>{answer.trace_id}</Code>
            </Small>
            <Copy text={answer.trace_id} label="Copy trace id" />
          </Group>
        </Stack>
      </Section>
      {explanation !== undefined && (
        <Section title="Rules" note="The first match decides.">
          <RuleByRule
            policy={answer.policy}
            findingsOf={(policy) => findingsOfAnswer(policy, explanation, answer.rule_id)}
          />
        </Section>
      )}
      <AsCode question={question} />
    </Stack>
  );
}

const Suggestion = ({ email, question, onAsk }: { email: string; question: Question; onAsk: AnswerProps['onAsk'] }) => (
  <Alert variant="light" color="blue" title={`Did you mean ${email}?`}>
    <Anchor component="button" type="button" size="sm" onClick={() => onAsk({ ...question, email })}>
      Check it
    </Anchor>
  </Alert>
);

function AsCode({ question: { email, name, purpose, policy } }: { readonly question: Question }) {
  const body = { email, ...(name.trim() !== '' && { name: name.trim() }), context: { purpose }, policy_slug: policy };
  const snippets = snippetsOf(useApiUrl(), body);
  return (
    <Section title="As code">
      <Tabs defaultValue={snippets[0]?.label ?? null}>
        <Tabs.List>
          {snippets.map((each) => (
            <Tabs.Tab key={each.label} value={each.label}>
              {each.label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map((each) => (
          <Tabs.Panel key={each.label} value={each.label} pt="sm">
            <Stack gap="xs" align="flex-start">
              <Code block w="100%" tabIndex={0}>
                {each.code}
              </Code>
              <CopyWide text={each.code} label={`Copy as ${each.label}`} />
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  );
}
