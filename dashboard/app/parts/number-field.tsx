import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';

type Props = Omit<NumberInputProps, 'value' | 'onChange' | 'defaultValue'> & {
  readonly value: number;
  readonly onChange: (value: number) => void;
  /** Reports on blur or Enter only: while 90 is typed, the 9 may have another effect. */
  readonly waitsForEnd?: boolean;
};

/** Number field. Mantine reports text while a number is half typed (`0.`); the owner receives numbers only. */
export function NumberField({ value, onChange, waitsForEnd = false, ...rest }: Props) {
  const [typed, setTyped] = useState<number | string>(value);
  /** Typed, but not reported yet. */
  const [waiting, setWaiting] = useState<number | null>(null);
  // An outside change (slider, restored version) replaces the text; one's own half-typed number stays.
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
      // Mantine turns a typed comma into the point, but drops one that is pasted with other characters.
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
