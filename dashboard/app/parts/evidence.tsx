import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Trace } from '../api/schema.ts';
import { EvidenceSteps } from '../charts/evidence-steps.tsx';
import { evidenceSteps } from '../lib/evidence-words.ts';
import { formatList, formatSentences, plural } from '../lib/format.ts';
import { label } from '../lib/vocabulary.ts';
import { Choices } from './choices.tsx';

type Known = NonNullable<Trace['features']>;

/** What is known of the address, what moved the number, and who was asked: from the trace, which replays. */
export function Evidence({ trace, purpose }: { readonly trace: Trace; readonly purpose: string }) {
  const { features, route, reasons } = trace;
  if (features === null) return <Text size="sm">Details are kept for 90 days and have been deleted.</Text>;
  const pieces = features.evidence;
  // A reason may say it already.
  const isSaid = reasons?.some((reason) => HOST_REASONS.has(reason)) === true;
  const said = formatSentences(!isSaid && hostText(features), knownText(features));
  return (
    <div className="evidence">
      {said !== '' && (
        <Text size="sm" className="whole-row">
          {said}
        </Text>
      )}
      {pieces.length > 0 && (
        <Part title="What moved the risk">
          <EvidenceSteps steps={evidenceSteps(pieces, { purpose, host: hostName(features) })} />
        </Part>
      )}
      {route !== null && route.length > 0 && (
        <Part title="Provider lookups" note="Each step takes the lowest expected cost: price, time and mistakes.">
          <Choices trace={trace} />
        </Part>
      )}
    </div>
  );
}

const HOST_REASONS: ReadonlySet<string> = new Set(['no_mx', 'mx_unresolved']);

const Part = ({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note?: string;
  readonly children: ReactNode;
}) => (
  <section aria-label={title}>
    <Title order={4} size="h6">
      {title}
    </Title>
    {note !== undefined && (
      <Text size="xs" c="dimmed">
        {note}
      </Text>
    )}
    <Stack gap={6} mt={6}>
      {children}
    </Stack>
  </section>
);

/** Who takes the domain's mail. Null: none of the known providers, or not looked up. */
export function hostName({ mail_hosts: found, mx_provider: provider, host_class: kind }: Known): string | null {
  const name = provider ?? kind;
  return name === 'unknown' || (found !== 'found' && found !== 'implicit') ? null : label(name);
}

function hostText(features: Known): string {
  const { mail_hosts: found, gateway } = features;
  if (found === 'none') return 'The domain has no mail hosts.';
  if (found === 'unresolved') return 'The domain’s mail hosts couldn’t be looked up.';
  if (found === 'not_looked_up') return 'Mail hosts weren’t looked up.';
  const name = hostName(features);
  if (name === null) return 'Unknown mailbox provider.';
  return gateway ? `Mailbox provider: ${name}, behind a gateway.` : `Mailbox provider: ${name}.`;
}

function knownText({ known_answers: answers, known_outcomes: outcomes }: Known): string {
  const parts = [
    answers.length > 0 && plural(answers.length, '# earlier answer', '# earlier answers'),
    outcomes.length > 0 && plural(outcomes.length, '# reported outcome', '# reported outcomes'),
  ].filter((part) => part !== false);
  return parts.length === 0 ? '' : `Uses ${formatList(parts)}.`;
}
