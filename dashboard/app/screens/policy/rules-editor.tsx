import { Anchor, Select, Stack, Text, Group, Box, RangeSlider, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Decision } from '../../api/schema.ts';
import { Histogram } from '../../charts/histogram.tsx';
import { plural, formatRow, formatCount, formatShare } from '../../lib/format.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { label } from '../../lib/vocabulary.ts';
import { NumberField } from '../../parts/number-field.tsx';
import { Section } from '../../parts/page.tsx';
import { Dimmed, QuietButton, Small, Strong } from '../../parts/text.tsx';
import type { Draft } from './draft.ts';
import { FaultAtLine, faultKey } from './json-editor.tsx';
import { numbersQuery } from './queries.ts';
import { isSwitched, KINDS, kindState, withKind, limitsOf, withLimits } from './switches.ts';

const DEFAULTS: readonly Decision[] = ['allow', 'review', 'challenge', 'deny'];

export interface PartProps {
  readonly document: Draft['document'];
  readonly change: Draft['change'];
  readonly isReadOnly: boolean;
}

/** Replaces switches and rules while the JSON is broken. */
export const Broken = ({ draft, onOpenJson }: { readonly draft: Draft; readonly onOpenJson: () => void }) => (
  <Section title="The JSON has errors">
    <Stack gap={4} align="flex-start">
      {draft.broken.map((fault) => (
        <Text key={faultKey(fault)} size="sm" component="div">
          <FaultAtLine fault={fault} />
        </Text>
      ))}
      <QuietButton mt="xs" onClick={onOpenJson}>
        Fix it in the JSON
      </QuietButton>
    </Stack>
  </Section>
);

/** Switches for what most accounts change. The Rules tab has all rules. */
export function Switches({ onOpenRules, ...parts }: PartProps & { readonly onOpenRules: () => void }) {
  const { document, change, isReadOnly } = parts;
  const others = document.rules.filter((rule) => !isSwitched(rule)).length;
  return (
    <Stack gap="md">
      <Section title="By kind of address">
        <Kinds {...parts} />
      </Section>
      <Section title="By bounce risk">
        <NumberLimits {...parts} />
      </Section>
      <Section title="Everyone else">
        <Select
          aria-label="Decision when no rule matches"
          w={190}
          data={DEFAULTS.map((value) => ({ value, label: label(value) }))}
          value={document.default}
          disabled={isReadOnly}
          onChange={(value) => value !== null && change({ ...document, default: value })}
        />
        {others > 0 && (
          <Dimmed mt="sm">
            {plural(others, '# more rule decides before this.', '# more rules decide before this.')}{' '}
            <Anchor component="button" inherit onClick={onOpenRules}>
              See all rules
            </Anchor>
          </Dimmed>
        )}
      </Section>
    </Stack>
  );
}

const CHOICES = [
  { value: 'none', label: 'Same as others' },
  { value: 'allow', label: 'Allow' },
  { value: 'review', label: 'Review' },
  { value: 'challenge', label: 'Challenge' },
  { value: 'deny', label: 'Deny' },
] as const;
const WITH_FLOW = { value: 'allow_with_flow', label: 'Allow with a flow' } as const;

const Kinds = ({ document, change, isReadOnly }: PartProps) => (
  <Stack gap="md">
    {KINDS.map(({ type, title, hint }) => {
      const { decision, before, movable, isOwn } = kindState(document, type);
      return (
        <Group key={type} justify="space-between" gap="sm">
          <div style={{ flex: '1 1 220px' }}>
            <Strong>{title}</Strong>
            <Small component="div">
              {hint}
              {before.length > 0 && ` Unless ${formatRow(before)} matches first.`}{' '}
              {movable !== null && !isReadOnly && (
                <Anchor component="button" inherit onClick={() => change(withKind(document, type, movable))}>
                  Move to front
                </Anchor>
              )}
            </Small>
          </div>
          <Select
            aria-label={title}
            w={190}
            data={isOwn ? [...CHOICES, WITH_FLOW] : [...CHOICES]}
            value={decision ?? 'none'}
            disabled={isReadOnly}
            onChange={(value) => {
              if (value !== null && value !== 'allow_with_flow') change(withKind(document, type, value));
            }}
          />
        </Group>
      );
    })}
  </Stack>
);

const USUAL = { review: 0.15, deny: 0.8 };
/** Square-root scale: low numbers matter most and get more room. */
const STEPS = 100;
const toStep = (value: number): number => Math.round(Math.sqrt(value) * STEPS);
const toNumber = (step: number): number => Math.round((step / STEPS) ** 2 * 1_000) / 1_000;
const MARKS = [0.01, 0.1, 0.25, 0.5, 0.75];

/** Limits on the bounce risk, above a histogram of the account's newest ones. */
function NumberLimits({ document, change, isReadOnly }: PartProps) {
  const { id } = useOrganisation();
  const numbers = useQuery(numbersQuery(id));
  const limits = limitsOf(document);
  const isOn = limits.review !== null || limits.deny !== null;
  const review = limits.review ?? limits.deny ?? USUAL.review;
  const deny = limits.deny ?? 1;
  const set = (from: number, to: number) =>
    change(withLimits(document, { review: from < to ? from : null, deny: to >= 1 ? null : to }));
  const all = numbers.data ?? [];
  const [held, denied] = [
    all.filter((number) => number >= review && number < deny).length,
    all.filter((number) => number >= deny).length,
  ];
  return (
    <Stack gap="md">
      <Switch
        label="Also decide by bounce risk"
        checked={isOn}
        disabled={isReadOnly}
        onChange={({ currentTarget: { checked } }) =>
          change(withLimits(document, checked ? USUAL : { review: null, deny: null }))
        }
      />
      <Box>
        <Histogram numbers={all} review={isOn ? review : null} deny={isOn ? deny : null} />
        {isOn && (
          <>
            <RangeSlider
              min={0}
              max={STEPS}
              minRange={0}
              value={[toStep(review), toStep(deny)]}
              onChange={([from, to]) => set(toNumber(from), toNumber(to))}
              label={(step) => `${Math.round(toNumber(step) * 1_000) / 10}%`}
              marks={MARKS.map((value) => ({ value: toStep(value), label: `${value * 100}%` }))}
              thumbFromLabel="Review from"
              thumbToLabel="Deny from"
              disabled={isReadOnly}
              mb="xl"
            />
            <Group gap="md" align="flex-end">
              <Limit name="Review from" share={review} isReadOnly={isReadOnly} onChange={(share) => set(share, deny)} />
              <Limit name="Deny from" share={deny} isReadOnly={isReadOnly} onChange={(share) => set(review, share)} />
            </Group>
          </>
        )}
      </Box>
      {all.length > 0 && isOn && (
        <Dimmed>
          Of your last {formatCount(all.length)} addresses, {formatShare(held / all.length)} would be reviewed and{' '}
          {formatShare(denied / all.length)} denied.
        </Dimmed>
      )}
    </Stack>
  );
}

interface LimitProps {
  readonly name: string;
  /** From 0 to 1. */
  readonly share: number;
  readonly isReadOnly: boolean;
  readonly onChange: (share: number) => void;
}

const Limit = ({ name, share, isReadOnly, onChange }: LimitProps) => (
  <NumberField
    label={name}
    suffix="%"
    w={140}
    min={0}
    max={100}
    waitsForEnd
    decimalScale={1}
    value={Math.round(share * 1_000) / 10}
    disabled={isReadOnly}
    onChange={(value) => onChange(value / 100)}
  />
);
