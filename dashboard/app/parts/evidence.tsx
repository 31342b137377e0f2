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
  if (features === null)
    return <Text size="sm">The details of a judgement are kept for 90 days. Those of this one are deleted.</Text>;
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
        <Part title="What moved the number">
          <EvidenceSteps steps={evidenceSteps(pieces, { purpose, host: hostName(features) })} />
        </Part>
      )}
      {route !== null && route.length > 0 && (
        <Part
          title="Who was asked"
          note="Each step takes the choice that is expected to cost least: price, waiting and mistakes together."
        >
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

/** Who takes the domain's mail. Null means none of the known providers, or not looked up. */
export function hostName({ mail_hosts: found, mx_provider: provider, host_class: kind }: Known): string | null {
  const name = provider ?? kind;
  return name === 'unknown' || (found !== 'found' && found !== 'implicit') ? null : label(name);
}

function hostText(features: Known): string {
  const { mail_hosts: found, gateway } = features;
  if (found === 'none') return 'The domain has no mail hosts.';
  if (found === 'unresolved') return 'The mail hosts of the domain could not be looked up.';
  if (found === 'not_looked_up') return 'Its mail hosts were not looked up.';
  const name = hostName(features);
  if (name === null) return 'Its mail hosts belong to none of the known providers.';
  return gateway ? `${name} takes its mail, behind a gateway.` : `${name} takes its mail.`;
}

function knownText({ known_answers: answers, known_outcomes: outcomes }: Known): string {
  const parts = [
    answers.length > 0 && plural(answers.length, '# earlier answer', '# earlier answers'),
    outcomes.length > 0 && plural(outcomes.length, '# report of yours', '# reports of yours'),
  ].filter((part) => part !== false);
  return parts.length === 0 ? '' : `${formatList(parts)} about it took part.`;
}
