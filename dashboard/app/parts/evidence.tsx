import { Stack, Text, Title, Code, Group, Table, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { Trace } from '../api/schema.ts';
import { evidenceSteps, type EvidenceStep, factorText, probabilityAt } from '../lib/evidence-words.ts';
import { formatList, formatSentences, plural, formatCents, formatEstimate, formatRow } from '../lib/format.ts';
import { label, word } from '../lib/vocabulary.ts';
import { Head } from './head.tsx';
import { Icon } from './icons.tsx';
import { Mark } from './mark.tsx';
import { Small } from './text.tsx';

type Known = NonNullable<Trace['features']>;

/** Known facts, evidence and provider lookups of a trace. */
export function Evidence({ trace, purpose }: { readonly trace: Trace; readonly purpose: string }) {
  const { features, route, reasons } = trace;
  if (features === null) return <Text size="sm">Details are kept for 90 days and have been deleted.</Text>;
  const pieces = features.evidence;
  // A reason may already say it.
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
    {note !== undefined && <Small>{note}</Small>}
    <Stack gap={6} mt={6}>
      {children}
    </Stack>
  </section>
);

/** The domain's mailbox provider; null if unknown or not looked up. */
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

const LEFT_OUT: Readonly<Record<string, string>> = {
  asked: 'already asked',
  reported: 'you reported an outcome',
  known: 'answered recently',
  silent: 'two others had no answer',
  settled: 'no lookup needed',
  budget: 'over this month’s budget',
  cost: 'over the cost ceiling',
  time: 'over the time limit',
  circuit_open: 'failing',
};

type Step = NonNullable<Trace['route']>[number];

const leftOut = ({ excluded }: Step): string =>
  formatRow(excluded.map(({ provider, why }) => `${label(provider)} (${LEFT_OUT[why] ?? why})`));

interface Option {
  readonly name: string;
  readonly isChosen: boolean;
  /** Expected total cost, dollars: price, time and mistakes. */
  readonly total: number;
  /** Null for deciding now, which has no price. */
  readonly price: number | null;
}

const optionsOf = ({ choice, stop_value_usd: stop, candidates }: Step): readonly Option[] => [
  { name: 'Decide now', isChosen: choice === 'stop', total: stop, price: null },
  ...candidates.map(({ provider, value_usd: total, price_usd: price }) => ({
    name: `Ask ${label(provider)}`,
    isChosen: choice === provider,
    total,
    price,
  })),
];

/** Provider lookups in order: at each step the cheapest choice and its answer. */
function Choices({ trace: { route, providers, provider_failures: failures } }: { readonly trace: Trace }) {
  if (route === null || route.length === 0) return null;
  return (
    <Stack gap="md">
      {route.map((step, at) => {
        const answer = providers?.[step.choice];
        const failure = failures?.find(({ provider }) => provider === step.choice);
        return (
          <div key={at}>
            <Text size="sm" mb={2}>
              <b>Step {at + 1}</b>, at {formatEstimate(step.probability)}
            </Text>
            <OptionTable step={step} />
            {step.excluded.length > 0 && <Small>Left out: {leftOut(step)}.</Small>}
            {step.candidates.length === 0 && step.excluded.length === 0 && <Small>No provider is connected.</Small>}
            {answer !== undefined && (
              <Group gap={6} mt={4}>
                <Text size="sm">{label(step.choice)} says</Text>
                <Mark term={answer.verdict} />
                {answer.sub_status !== undefined && (
                  <Small>
                    <Code>{answer.sub_status}</Code>
                  </Small>
                )}
              </Group>
            )}
            {answer === undefined && failure !== undefined && (
              <Text size="sm" mt={4}>
                {label(step.choice)} gave no answer: {word(failure.kind)}.
              </Text>
            )}
          </div>
        );
      })}
    </Stack>
  );
}

function OptionTable({ step }: { readonly step: Step }) {
  const options = optionsOf(step);
  const most = Math.max(...options.map(({ total }) => total), Number.EPSILON);
  return (
    <Table verticalSpacing={3} className="numbers" fz="sm" layout="fixed">
      <Head cells={[['Choice', { pl: 0 }], 'Expected cost', ['Price', { ta: 'right', w: 74, pr: 0 }]]} />
      <Table.Tbody>
        {options.map(({ name, isChosen, total, price }) => (
          <Table.Tr key={name} {...(isChosen && { fw: 600 })}>
            <Table.Td pl={0}>
              <Group gap={4} wrap="nowrap">
                {name}
                {isChosen && (
                  <Text component="span" lh={0} c="var(--mark-good)">
                    <Icon name="check" size={15} />
                    <span className="visually-hidden"> chosen</span>
                  </Text>
                )}
              </Group>
            </Table.Td>
            <Table.Td>
              <Group gap={8} wrap="nowrap">
                <svg width={56} height={8} aria-hidden="true" style={{ flexShrink: 0 }}>
                  <rect width={56} height={8} rx={2} fill="var(--line)" />
                  <rect width={Math.max(1, (total / most) * 56)} height={8} rx={2} fill="var(--series)" />
                </svg>
                {formatCents(total)}
              </Group>
            </Table.Td>
            <Table.Td ta="right" pr={0}>
              {price === null ? '' : formatCents(price)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const HEIGHT = 14;
const TICKS = [
  0.0001, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995,
  0.999, 0.9999,
];
/** Room beside the outermost values, in log-odds. */
const ROOM = 0.8;
/** Smallest distance between ticks: percent of the width, and pixels. */
const TICK_GAP = 17;
const TICK_GAP_PX = 38;

const logOdds = (probability: number): number => Math.log(probability / (1 - probability));
const tickLabel = (tick: number): string => `${Number((tick * 100).toPrecision(4))}%`;

/** Maps log-odds to percent of the width, with the ticks that fit. `width` is in pixels, 0 until measured. */
function scaleOf(steps: readonly EvidenceStep[], width: number) {
  const gap = width === 0 ? TICK_GAP : Math.max(TICK_GAP, (TICK_GAP_PX / width) * 100);
  const ends = steps.flatMap(({ from, to }) => [from, to]);
  const [low, high] = [Math.min(...ends) - ROOM, Math.max(...ends) + ROOM];
  const x = (at: number): number => ((at - low) / (high - low)) * 100;
  const ticks: { readonly text: string; readonly at: number }[] = [];
  for (const tick of TICKS) {
    const at = x(logOdds(tick));
    if (at >= 6 && at <= 94 && at - (ticks.at(-1)?.at ?? -100) >= gap) ticks.push({ text: tickLabel(tick), at });
  }
  return { x, ticks };
}

/** A waterfall chart in a table: how each piece of evidence moved the bounce risk. */
function EvidenceSteps({ steps }: { readonly steps: readonly EvidenceStep[] }) {
  const { ref, width } = useElementSize();
  if (steps.length === 0) return null;
  const { x, ticks } = scaleOf(steps, width);
  const grid = ticks.map(({ text, at }) => (
    <line key={text} x1={`${at}%`} x2={`${at}%`} y1={0} y2={HEIGHT} stroke="var(--line)" />
  ));
  return (
    <Table verticalSpacing={4} className="numbers" withRowBorders={false} aria-label="What moved the risk">
      <Table.Caption ta="left" fz="xs" mx={0}>
        Each bar starts where the one above ends. × and ÷ show how much each finding moves the odds of a bounce.
      </Table.Caption>
      <Head
        cells={[
          ['Evidence', { pl: 0 }],
          ['Odds', { ta: 'right', w: { base: 62, sm: 92 } }],
          ['Bounce risk', { ta: 'right', w: { base: 68, sm: 80 }, pr: 0 }],
        ]}
      />
      <Table.Tbody>
        {steps.map((step, at) => (
          <Table.Tr key={at}>
            <Table.Td pl={0}>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {step.text}
              </Text>
              <svg width="100%" height={HEIGHT} aria-hidden="true" display="block">
                {grid}
                {at === 0 ? (
                  <circle cx={`${x(step.to)}%`} cy={HEIGHT / 2} r={5} fill="var(--series)" />
                ) : (
                  <Move from={x(step.from)} to={x(step.to)} />
                )}
              </svg>
            </Table.Td>
            <Table.Td ta="right" style={{ verticalAlign: 'top', whiteSpace: 'nowrap' }}>
              {at === 0 ? <VisuallyHidden>the beginning</VisuallyHidden> : factorText(step)}
            </Table.Td>
            <Table.Td ta="right" pr={0} fw={600} style={{ verticalAlign: 'top', whiteSpace: 'nowrap' }}>
              {formatEstimate(probabilityAt(step.to))}
            </Table.Td>
          </Table.Tr>
        ))}
        <Table.Tr aria-hidden="true">
          <Table.Td pl={0} py={0}>
            <div ref={ref}>
              <svg width="100%" height={16} display="block">
                {ticks.map(({ text, at }) => (
                  <text
                    key={text}
                    x={`${at}%`}
                    y={12}
                    fontSize="11"
                    textAnchor="middle"
                    fill="var(--mantine-color-dimmed)"
                  >
                    {text}
                  </text>
                ))}
              </svg>
            </div>
          </Table.Td>
        </Table.Tr>
      </Table.Tbody>
    </Table>
  );
}

/** A bar whose dot marks its end; the colour repeats the direction. */
function Move({ from, to }: { readonly from: number; readonly to: number }) {
  const colour = to > from ? 'var(--mark-poor)' : 'var(--mark-good)';
  return (
    <>
      <rect
        x={`${Math.min(from, to)}%`}
        y={4}
        width={`${Math.max(0.6, Math.abs(to - from))}%`}
        height={HEIGHT - 8}
        rx={2}
        fill={colour}
      />
      <circle cx={`${to}%`} cy={HEIGHT / 2} r={4.5} fill={colour} />
    </>
  );
}
