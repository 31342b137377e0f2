import '@mantine/dates/styles.css';
import { Select } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import { useState } from 'react';
import { dayText, daysOf, rangeOf, PERIODS } from '../lib/period.ts';

const CUSTOM = 'custom';
const DAY_S = 86_400;

interface RangeProps {
  /** A named period, or a range of days in UTC. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000;

/** Picks a period until now, or a custom range of days. */
export function RangePicker({ value, onChange }: RangeProps) {
  const range = daysOf(value);
  const [isChoosing, setChoosing] = useState(false);
  const [first, setFirst] = useState<string | null>(null);
  if (!isChoosing && range === null)
    return (
      <Select
        aria-label="Time"
        placeholder="Any time"
        w={150}
        clearable
        data={[...PERIODS, { value: CUSTOM, label: 'Custom range…' }]}
        value={value ?? null}
        onChange={(next) => (next === CUSTOM ? setChoosing(true) : onChange(next ?? undefined))}
      />
    );
  const shown: [string | null, string | null] =
    first !== null || range === null ? [first, null] : [dayText(range.from), dayText(range.to - DAY_S)];
  return (
    <DatePickerInput
      type="range"
      aria-label="Custom range"
      placeholder="First and last day"
      miw={190}
      valueFormat="MMM D"
      allowSingleDateInRange
      clearable
      maxDate={dayText(Date.now() / 1_000)}
      popoverProps={{ withinPortal: true, ...(isChoosing && { defaultOpened: true }) }}
      value={shown}
      onChange={([from, to]) => {
        setFirst(to === null ? from : null);
        if (from === null) {
          setChoosing(false);
          onChange(undefined);
        }
        if (from === null || to === null) return;
        setChoosing(false);
        onChange(rangeOf(startOf(from), startOf(to)));
      }}
    />
  );
}
