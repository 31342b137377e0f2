import { Select } from '@mantine/core';
import { formatForm } from '../../lib/format.ts';

/** What a new rule sees at its place. */
function placeNote(others: readonly string[], place: number): string {
  if (place === 0) return 'No rule stands before it: it sees every address, and the rules after it see what it leaves.';
  const before = formatForm(place, {
    one: `the rule ${others[0]} before it leaves`,
    other: 'the # rules before it leave',
  });
  const after = place === others.length ? '. After it, only the default decides' : '';
  return `It sees the addresses that ${before}${after}.`;
}

interface PlaceSelectProps {
  /** Ids of the other rules, in their order. */
  readonly others: readonly string[];
  readonly place: number;
  readonly onChange: (place: number) => void;
}

/** Where a new rule lands in the order, and what stands before it. */
export const PlaceSelect = ({ others, place, onChange }: PlaceSelectProps) =>
  others.length > 0 && (
    <Select
      label="Place in the order"
      description={placeNote(others, place)}
      data={[
        { value: '0', label: `First, before ${others[0]}` },
        ...others.map((other, at) => ({
          value: String(at + 1),
          label: at + 1 === others.length ? `Last, after ${other}` : `After ${other}`,
        })),
      ]}
      value={String(place)}
      allowDeselect={false}
      onChange={(value) => value !== null && onChange(Number(value))}
    />
  );
