import { Box, Group, RangeSlider, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Histogram } from '../../charts/histogram.tsx';
import { formatCount, formatShare } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { NumberField } from '../../parts/number-field.tsx';
import { numbersQuery } from './queries.ts';
import type { PartProps } from './rules-editor.tsx';
import { limitsOf, withLimits } from './switches.ts';

const USUAL = { review: 0.15, deny: 0.8 };
/** Low numbers matter most, and get more room: the slider moves along the root of the number. */
const STEPS = 100;
const toStep = (value: number): number => Math.round(Math.sqrt(value) * STEPS);
const toNumber = (step: number): number => Math.round((step / STEPS) ** 2 * 1_000) / 1_000;
const MARKS = [0.01, 0.1, 0.25, 0.5, 0.75];

/** Where the number alone decides, over the account's own newest numbers. */
export function NumberLimits({ document, change, isReadOnly }: PartProps) {
  const api = useApi();
  const { id } = useOrganisation();
  const numbers = useQuery(numbersQuery(api, id));
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
              <Limit
                label="Review from"
                share={review}
                isReadOnly={isReadOnly}
                onChange={(share) => set(share, deny)}
              />
              <Limit label="Deny from" share={deny} isReadOnly={isReadOnly} onChange={(share) => set(review, share)} />
            </Group>
          </>
        )}
      </Box>
      {all.length > 0 && isOn && (
        <Text size="sm" c="dimmed">
          Of your last {formatCount(all.length)} addresses, {formatShare(held / all.length)} would be reviewed and{' '}
          {formatShare(denied / all.length)} denied.
        </Text>
      )}
    </Stack>
  );
}

interface LimitProps {
  readonly label: string;
  /** From 0 to 1. */
  readonly share: number;
  readonly isReadOnly: boolean;
  readonly onChange: (share: number) => void;
}

const Limit = ({ label, share, isReadOnly, onChange }: LimitProps) => (
  <NumberField
    label={label}
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
