import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';

type Props = Omit<NumberInputProps, 'value' | 'onChange' | 'defaultValue'> & {
  readonly value: number;
  readonly onChange: (value: number) => void;
};

/** A number that is typed. Mantine gives text while a number is half typed (`0.`): the field shows that, its owner gets numbers alone. */
export function NumberField({ value, onChange, ...rest }: Props) {
  const [typed, setTyped] = useState<number | string>(value);
  // A change from outside (a slider, a restored version) shows; one's own half-typed text stays.
  const shown = typed !== '' && Number(typed) === value ? typed : value;
  const [isEmpty, setEmpty] = useState(false);
  return (
    <NumberInput
      {...rest}
      value={isEmpty ? '' : shown}
      onBlur={() => setEmpty(false)}
      onChange={(next) => {
        setTyped(next);
        setEmpty(next === '');
        const number = Number(next);
        if (next !== '' && Number.isFinite(number)) onChange(number);
      }}
    />
  );
}
