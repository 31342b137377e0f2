import {
  ActionIcon,
  Autocomplete,
  Box,
  Button,
  Group,
  MultiSelect,
  type OptionsFilter,
  SegmentedControl,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import type { Comparison, PolicyCondition } from '../../api/schema.ts';
import { capital, label } from '../../lib/vocabulary.ts';
import { Icon } from '../../parts/icons.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import { Small } from '../../parts/text.tsx';
import { firstOperator, isShare, KNOWN_PATHS, operatorsOf, typeOf } from './catalogue.ts';
import { conditionOf, faultsOf, type Join, joinedOf } from './conditions.ts';
import { isComparison } from './switches.ts';
import { pathText, operatorText, valueText } from './words.ts';

const DEPTH_MAX = 8;

const NEW: Comparison = { path: 'verification.recommendation', op: 'eq', value: '' };

interface GroupProps {
  readonly when: PolicyCondition;
  /** Faults show after sending, or once their field was left. */
  readonly isSent: boolean;
  readonly onChange: (when: PolicyCondition) => void;
  readonly depth?: number;
}

/** Conditions joined by all, any or none; each may be a group. */
export function ConditionGroup({ when, isSent, onChange, depth = 1 }: GroupProps) {
  // A policy can't store the join of a single condition, so it is kept here until there is a second one.
  const [join, setJoin] = useState<Join>(joinedOf(when).join);
  const { parts, join: stored } = joinedOf(when);
  const shown = parts.length > 1 || stored === 'none' ? stored : join;
  const set = (next: readonly PolicyCondition[], joined = shown) =>
    onChange(conditionOf({ join: joined, parts: next }));
  return (
    <Stack gap="xs">
      {(parts.length > 1 || shown === 'none' || depth > 1) && (
        <SegmentedControl
          size="xs"
          aria-label="How many have to hold"
          style={{ alignSelf: 'flex-start' }}
          data={[
            { value: 'all', label: 'All of' },
            { value: 'any', label: 'Any of' },
            { value: 'none', label: 'None of' },
          ]}
          value={shown}
          onChange={(value) => {
            setJoin(value);
            set(parts, value);
          }}
        />
      )}
      {parts.map((part, at) => {
        const change = (next: PolicyCondition) => set(parts.with(at, next));
        const remove = parts.length > 1 ? () => set(parts.toSpliced(at, 1)) : null;
        return isComparison(part) ? (
          <ConditionRow key={at} row={part} isSent={isSent} onChange={change} onRemove={remove} />
        ) : (
          <Group key={at} gap="xs" align="flex-start" wrap="nowrap">
            <Box className="condition-group">
              <ConditionGroup when={part} isSent={isSent} onChange={change} depth={depth + 1} />
            </Box>
            <ActionIcon mt={4} aria-label="Remove the group" disabled={remove === null} onClick={() => remove?.()}>
              <Icon name="cross" size={14} />
            </ActionIcon>
          </Group>
        );
      })}
      <Group gap="xs">
        <Button size="compact-sm" variant="subtle" onClick={() => set([...parts, NEW])}>
          Add condition
        </Button>
        {depth < DEPTH_MAX - 1 && (
          <Button size="compact-sm" variant="subtle" onClick={() => set([...parts, { any: [NEW, NEW] }])}>
            Add group
          </Button>
        )}
        {depth === 1 && parts.length === 1 && shown !== 'none' && (
          <Button size="compact-sm" variant="subtle" onClick={() => set(parts, 'none')}>
            Negate
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** Initial value after a change of path or operator. Words stay empty. */
function startOf(path: string, op: string): Comparison['value'] {
  if (op === 'exists') return true;
  const type = typeOf(path);
  if (op === 'in' || op === 'not_in') return [];
  return type.is === 'boolean' ? true : type.is === 'number' ? 0 : '';
}

/** Paths in the form's order. */
const NAMED_PATHS = new Map(KNOWN_PATHS.map((path) => [capital(pathText(path)), path]));
const LABELS = new Map(Array.from(NAMED_PATHS, ([name, path]) => [path, name]));
const BY_TEXT = new Map(Array.from(NAMED_PATHS, ([name, path]) => [name.toLowerCase(), path]));

/** Matches names and paths. The chosen path does not filter the others. */
const fitting: OptionsFilter = ({ options, search }) => {
  const text = search.trim().toLowerCase();
  if (NAMED_PATHS.has(search)) return options;
  return options.filter(
    (option) =>
      'value' in option &&
      [option.value, NAMED_PATHS.get(option.value) ?? ''].some((each) => each.toLowerCase().includes(text)),
  );
};

interface RowProps {
  readonly row: Comparison;
  readonly isSent: boolean;
  readonly onChange: (row: Comparison) => void;
  readonly onRemove: (() => void) | null;
}

function ConditionRow({ row, isSent, onChange, onRemove }: RowProps) {
  const operators = operatorsOf(row.path);
  const faults = faultsOf(row);
  // Replacing a path by its name while typing would garble the letters that follow.
  const [typed, setTyped] = useState<string | null>(null);
  const [isPathLeft, setIsPathLeft] = useState(false);
  const [isValueLeft, setIsValueLeft] = useState(false);
  /** A value set by a new path or operator counts as untouched. */
  const restart = (next: Comparison) => {
    setIsValueLeft(false);
    onChange(next);
  };
  const setPath = (path: string) => {
    const op = operatorsOf(path).includes(row.op) ? row.op : (firstOperator(path) as Comparison['op']);
    const isSameType =
      typeOf(path).is === typeOf(row.path).is && typeOf(path).is !== 'word' && isShare(path) === isShare(row.path);
    restart({ path, op, value: isSameType && op === row.op ? row.value : startOf(path, op) });
  };
  return (
    <Group gap="xs" align="flex-start">
      <Autocomplete
        aria-label="Property"
        flex={2}
        miw={180}
        data={[...NAMED_PATHS.keys()]}
        placeholder="A property, or attributes.plan"
        value={typed ?? LABELS.get(row.path) ?? row.path}
        description={LABELS.has(row.path) ? row.path : undefined}
        inputWrapperOrder={['input', 'description', 'error']}
        error={(isPathLeft || isSent) && faults.path}
        onChange={(text) => {
          setTyped(text);
          setPath(BY_TEXT.get(text.trim().toLowerCase()) ?? text.trim());
        }}
        onBlur={() => {
          setTyped(null);
          setIsPathLeft(true);
        }}
        filter={fitting}
        renderOption={({ option }) => (
          <div>
            <Text size="sm">{option.value}</Text>
            <Small>{NAMED_PATHS.get(option.value)}</Small>
          </div>
        )}
        limit={60}
      />
      <Select
        aria-label="Operator"
        w={130}
        data={operators.map((value) => ({ value, label: operatorText(value) }))}
        value={row.op}
        onChange={(op) => op !== null && restart({ ...row, op: op as Comparison['op'], value: startOf(row.path, op) })}
      />
      <ValueInput
        row={row}
        fault={isValueLeft || isSent ? faults.value : null}
        onChange={(value) => onChange({ ...row, value: value as Comparison['value'] })}
        onLeave={() => setIsValueLeft(true)}
      />
      <ActionIcon mt={4} aria-label="Remove the condition" disabled={onRemove === null} onClick={() => onRemove?.()}>
        <Icon name="cross" size={14} />
      </ActionIcon>
    </Group>
  );
}

const YES_NO = [
  { value: 'true', label: 'yes' },
  { value: 'false', label: 'no' },
];

/** Parses a text of unknown type: `5` is a number, `true` a boolean. */
function guessed(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

/** Removes floating-point noise: 0.07 × 100 is 7. */
const exact = (number: number): number => Number(number.toPrecision(12));

/** A number in a tag: `0,3`, or `30%` for a share. */
function numberOf(path: string, text: string): number {
  const number = Number(text.replace(',', '.').replace(/\s*%$/, ''));
  return isShare(path) ? exact(number / 100) : number;
}

interface ValueInputProps {
  readonly row: Comparison;
  /** As shown; null for none. */
  readonly fault: string | null;
  readonly onChange: (value: unknown) => void;
  readonly onLeave: () => void;
}

function ValueInput({ row: { path, op, value }, fault, onChange, onLeave }: ValueInputProps) {
  const type = typeOf(path);
  const common = { 'aria-label': 'Value', flex: 2, miw: 150, error: fault, onBlur: onLeave } as const;
  if (op === 'exists' || type.is === 'boolean')
    return <Select {...common} data={YES_NO} value={String(value)} onChange={(next) => onChange(next === 'true')} />;
  if (Array.isArray(value)) {
    const texts = value.map((each) => (isShare(path) ? valueText(path, each) : String(each)));
    const read = (next: string[]) =>
      onChange(
        type.is === 'number' ? next.map((text) => numberOf(path, text)) : type.is === 'any' ? next.map(guessed) : next,
      );
    return type.is === 'word' ? (
      <MultiSelect
        {...common}
        data={type.of.map((each) => ({ value: each, label: label(each) }))}
        value={texts}
        onChange={read}
      />
    ) : (
      <TagsInput
        {...common}
        placeholder="Enter after each"
        // Numbers use the comma as decimal sign, so it does not split tags.
        splitChars={[type.is === 'number' ? ';' : ',']}
        value={texts}
        onChange={read}
      />
    );
  }
  if (type.is === 'word' || type.is === 'words')
    return (
      <Select
        {...common}
        data={type.of.map((each) => ({ value: each, label: label(each) }))}
        value={value === '' ? null : String(value)}
        placeholder="Choose"
        searchable
        onChange={onChange}
      />
    );
  if (isShare(path))
    return (
      <NumberField
        {...common}
        suffix="%"
        min={0}
        max={100}
        step={5}
        clampBehavior="strict"
        value={exact(Number(value) * 100)}
        onChange={(next) => onChange(exact(next / 100))}
      />
    );
  if (type.is === 'number') return <NumberField {...common} value={Number(value)} step={0.05} onChange={onChange} />;
  return (
    <TextInput
      {...common}
      value={String(value)}
      onChange={({ currentTarget: { value: text } }) => onChange(type.is === 'any' ? guessed(text) : text)}
    />
  );
}
