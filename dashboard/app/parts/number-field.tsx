import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';

type Props = Omit<NumberInputProps, 'value' | 'onChange' | 'defaultValue'> & {
  readonly value: number;
  readonly onChange: (value: number) => void;
  /** Its owner hears of a number once the field is left, or Enter is pressed: on the way to 90 a 9 may mean something else. */
  readonly waitsForEnd?: boolean;
};

/** A number that is typed. Mantine gives text while a number is half typed (`0.`): the field shows that, its owner gets numbers alone. */
export function NumberField({ value, onChange, waitsForEnd = false, ...rest }: Props) {
  const [typed, setTyped] = useState<number | string>(value);
  /** A number that its owner has not heard of yet. */
  const [waiting, setWaiting] = useState<number | null>(null);
  // A change from outside (a slider, a restored version) shows; one's own half-typed text stays.
  const shown = waiting !== null || (typed !== '' && Number(typed) === value) ? typed : value;
  const [isEmpty, setEmpty] = useState(false);
  const end = () => {
    setEmpty(false);
    if (waiting !== null) onChange(waiting);
    setWaiting(null);
  };
  return (
    <NumberInput
      {...rest}
      value={isEmpty ? '' : shown}
      // Mantine takes a comma that is typed for the point, and would drop one that comes with other characters.
      onChangeCapture={({ currentTarget: field }) => {
        if (!field.value.includes(',')) return;
        const caret = field.selectionStart;
        field.value = field.value.replace(',', '.');
        field.setSelectionRange(caret, caret);
      }}
      onBlur={end}
      onKeyDown={({ key }) => key === 'Enter' && end()}
      onChange={(next) => {
        setTyped(next);
        setEmpty(next === '');
        const number = Number(next);
        if (next === '' || !Number.isFinite(number)) return;
        if (waitsForEnd) setWaiting(number);
        else onChange(number);
      }}
    />
  );
}
