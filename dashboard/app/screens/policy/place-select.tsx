import { Select } from '@mantine/core';
import { formatSentences, plural } from '../../lib/format.ts';

/** What a new rule sees at its place. */
function placeNote(others: readonly string[], place: number): string {
  if (place === 0) return 'No rule stands before it: it sees every address, and the rules after it see what it leaves.';
  const [first = ''] = others;
  return formatSentences(
    plural(
      place,
      `It sees the addresses that the rule ${first} before it leaves.`,
      'It sees the addresses that the # rules before it leave.',
    ),
    place === others.length && 'After it, only the default decides.',
  );
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
        { value: '0', label: `First, before ${others[0] ?? ''}` },
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
