import { Select } from '@mantine/core';

interface PlaceSelectProps {
  /** Ids of the other rules in order. */
  readonly others: readonly string[];
  readonly place: number;
  readonly onChange: (place: number) => void;
}

export const PlaceSelect = ({ others, place, onChange }: PlaceSelectProps) =>
  others.length > 0 && (
    <Select
      label="Position"
      data={[
        { value: '0', label: `First, before ${others[0] ?? ''}` },
        ...others.map((other, at) => ({
          value: String(at + 1),
          label: at + 1 === others.length ? `Last, after ${other}` : `After ${other}`,
        })),
      ]}
      value={String(place)}
      onChange={(value) => value !== null && onChange(Number(value))}
    />
  );
