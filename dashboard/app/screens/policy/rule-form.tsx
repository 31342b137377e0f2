import {
  ActionIcon,
  Autocomplete,
  Button,
  Group,
  MultiSelect,
  type OptionsFilter,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { PolicyCondition, PolicyRule } from '../../api/schema.ts';
import { DECISIONS } from '../../lib/order.ts';
import { capital, EVENTS, label } from '../../lib/vocabulary.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icons.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import { firstOperator, isShare, KNOWN_PATHS, operatorsOf, typeOf } from './catalogue.ts';
import { pathText } from './path-names.ts';
import { PlaceSelect } from './place-select.tsx';
import { faultsOf, type Row, rowsOf, unknownMembers } from './rule-rows.ts';
import { placeFor } from './switches.ts';
import { conditionText, operatorText, valueText } from './words.ts';

const EXPERIMENT = { weight: 20, min_sample: 400 };
const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** What the value begins with after the path or the operator changed. A word is left to be chosen. */
function startOf(path: string, op: string): unknown {
  if (op === 'exists') return true;
  const type = typeOf(path);
  const isList = op === 'in' || op === 'not_in';
  if (isList) return [];
  return type.is === 'boolean' ? true : type.is === 'number' ? 0 : '';
}

/** The paths as the form lists them. */
const NAMED_PATHS = new Map(KNOWN_PATHS.map((path) => [capital(pathText(path)), path]));
const LABELS = new Map(Array.from(NAMED_PATHS, ([name, path]) => [path, name]));

const BY_TEXT = new Map(Array.from(NAMED_PATHS, ([name, path]) => [name.toLowerCase(), path]));

/** A text finds a path by its name and by itself. What is chosen already hides none of the others. */
const fitting: OptionsFilter = ({ options, search }) => {
  const text = search.trim().toLowerCase();
  if (NAMED_PATHS.has(search)) return options;
  return options.filter(
    (option) =>
      'value' in option &&
      [option.value, NAMED_PATHS.get(option.value) ?? ''].some((each) => each.toLowerCase().includes(text)),
  );
};

interface RuleFormProps {
  readonly rule: PolicyRule;
  readonly isNew: boolean;
  /** The other rules, in their order. */
  readonly others: readonly PolicyRule[];
  /** `place`: of a new rule among the others. */
  readonly onKeep: (rule: PolicyRule, place: number) => void;
  readonly onOpenJson: () => void;
  readonly onClose: () => void;
}

/** One rule in a form. The service says what is wrong with a value that the form lets through. */
export function RuleForm({ rule, isNew, others, onKeep, onOpenJson, onClose }: RuleFormProps) {
  const [id, setId] = useState(rule.id);
  /** Null means the person has chosen none, and it follows the decision. */
  const [chosenPlace, setPlace] = useState<number | null>(null);
  const [description, setDescription] = useState(rule.description ?? '');
  const [decision, setDecision] = useState(rule.decision);
  const [flow, setFlow] = useState(rule.flow ?? '');
  const [experiment, setExperiment] = useState(rule.experiment ?? null);
  const place = chosenPlace ?? placeFor(others, decision);
  const otherIds = others.map((other) => other.id);
  const simple = rowsOf(rule.when);
  const [join, setJoin] = useState(simple?.join ?? 'all');
  const [rows, setRows] = useState(simple?.rows ?? []);
  /** Once it was sent, every fault shows; before that, a fault shows where the person has left the field. */
  const [isSent, setIsSent] = useState(false);
  const when = (): PolicyCondition => {
    if (simple === null) return rule.when;
    const [only] = rows;
    return (rows.length === 1 && only !== undefined ? only : { [join]: rows }) as PolicyCondition;
  };
  const idFault = otherIds.includes(id)
    ? 'Another rule has this id'
    : ID.test(id) && id !== 'default'
      ? null
      : '1 to 64 letters, digits, _, - or ., and not “default”';
  const flowFault = decision === 'allow_with_flow' && flow.trim() === '' ? 'Name the flow' : null;
  const experimentFault =
    experiment === null || ID.test(experiment.id) ? null : '1 to 64 letters, digits, _, - or ., and no space';
  const rowsAreRight =
    rows.length > 0 && rows.map(faultsOf).every(({ path, value }) => path === null && value === null);
  const isComplete =
    idFault === null && flowFault === null && experimentFault === null && (simple === null || rowsAreRight);
  const keep = () => {
    const kept = {
      id,
      ...(description.trim() !== '' && { description: description.trim() }),
      when: when(),
      decision,
      ...(decision === 'allow_with_flow' && { flow: flow.trim() }),
      ...(experiment !== null && { experiment }),
      ...unknownMembers(rule),
    };
    onKeep(kept, place);
  };
  return (
    <Dialog opened onClose={onClose} size="xl" title={isNew ? 'New rule' : `Rule ${rule.id}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          flushSync(() => setIsSent(true));
          if (isComplete) keep();
          else event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
        }}
      >
        <Stack>
          <Stack gap="xs">
            <Group justify="space-between">
              <Text size="sm" fw={600}>
                When
              </Text>
              {simple !== null && rows.length > 1 && (
                <SegmentedControl
                  size="xs"
                  aria-label="How many conditions have to hold"
                  data={[
                    { value: 'all', label: 'All hold' },
                    { value: 'any', label: 'Any holds' },
                  ]}
                  value={join}
                  onChange={setJoin}
                />
              )}
            </Group>
            {simple === null ? (
              <Text size="sm">
                {conditionText(rule.when)}.{' '}
                <Button size="compact-xs" variant="subtle" onClick={onOpenJson}>
                  Edit it as JSON
                </Button>
              </Text>
            ) : (
              rows.map((row, at) => (
                <ConditionRow
                  key={at}
                  row={row}
                  isSent={isSent}
                  onChange={(next) => setRows(rows.with(at, next))}
                  onRemove={rows.length > 1 ? () => setRows(rows.toSpliced(at, 1)) : null}
                />
              ))
            )}
            {simple !== null && (
              <Button
                size="xs"
                variant="subtle"
                leftSection={<Icon name="plus" size={14} />}
                onClick={() => setRows([...rows, { path: 'verification.recommendation', op: 'eq', value: '' }])}
                style={{ alignSelf: 'flex-start' }}
              >
                Add condition
              </Button>
            )}
          </Stack>
          <Group align="flex-start" grow preventGrowOverflow={false}>
            <Select
              label="Decision"
              data={DECISIONS.map((value) => ({ value, label: label(value) }))}
              value={decision}
              allowDeselect={false}
              onChange={(value) => value !== null && setDecision(value)}
            />
            {decision === 'allow_with_flow' && (
              <CheckedInput
                label="Flow"
                description="Passed to you with the decision"
                value={flow}
                maxLength={100}
                fault={flowFault}
                isSent={isSent}
                onChange={(event) => setFlow(event.currentTarget.value)}
              />
            )}
          </Group>
          <Group align="flex-start" grow preventGrowOverflow={false}>
            <CheckedInput
              label="Id"
              value={id}
              maxLength={64}
              fault={idFault}
              isSent={isSent}
              onChange={(event) => setId(event.currentTarget.value)}
            />
            <TextInput
              label="Reason (optional)"
              placeholder="Shown with the decision"
              value={description}
              maxLength={500}
              onChange={(event) => setDescription(event.currentTarget.value)}
            />
          </Group>
          {isNew && <PlaceSelect others={otherIds} place={place} onChange={setPlace} />}
          <Switch
            label="Try it as an experiment"
            description="Some of the addresses that match get the decision, the others go on to the next rule."
            checked={experiment !== null}
            onChange={({ currentTarget: { checked } }) => setExperiment(checked ? { id, ...EXPERIMENT } : null)}
          />
          {experiment !== null && (
            <Group align="flex-start" grow preventGrowOverflow={false}>
              <CheckedInput
                label="Name of the experiment"
                fault={experimentFault}
                isSent={isSent}
                value={experiment.id}
                onChange={(event) => setExperiment({ ...experiment, id: event.currentTarget.value })}
              />
              <NumberField
                label="Share"
                suffix=" %"
                min={1}
                max={100}
                allowDecimal={false}
                value={experiment.weight}
                onChange={(weight) => setExperiment({ ...experiment, weight })}
              />
              <NumberField
                label="Addresses in each arm"
                min={1}
                allowDecimal={false}
                value={experiment.min_sample}
                onChange={(minSample) => setExperiment({ ...experiment, min_sample: minSample })}
              />
              <MultiSelect
                label="Must not get worse"
                data={EVENTS.map((value) => ({ value, label: label(value) }))}
                value={experiment.guardrails ?? []}
                onChange={(guardrails) => setExperiment({ ...experiment, guardrails })}
              />
            </Group>
          )}
          <Group justify="space-between">
            <Text size="xs" c="dimmed" flex={1}>
              {simple !== null && rowsAreRight && `When ${conditionText(when())}.`}
            </Text>
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit">{isNew ? 'Add to the draft' : 'Change the draft'}</Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

interface CheckedInputProps extends TextInputProps {
  readonly fault: string | null;
  readonly isSent: boolean;
}

/** A text whose fault shows once the person has left it or has sent the form. */
function CheckedInput({ fault, isSent, ...rest }: CheckedInputProps) {
  const [isLeft, setIsLeft] = useState(false);
  return <TextInput {...rest} error={(isLeft || isSent) && fault} onBlur={() => setIsLeft(true)} />;
}

interface ConditionRowProps {
  readonly row: Row;
  readonly isSent: boolean;
  readonly onChange: (row: Row) => void;
  readonly onRemove: (() => void) | null;
}

function ConditionRow({ row, isSent, onChange, onRemove }: ConditionRowProps) {
  const operators = operatorsOf(row.path);
  const faults = faultsOf(row);
  // A name that took the place of its path while more is typed would get the letters that follow.
  const [typed, setTyped] = useState<string | null>(null);
  const [isPathLeft, setIsPathLeft] = useState(false);
  const [isValueLeft, setIsValueLeft] = useState(false);
  /** A value that comes with another path or operator is one that the person has not touched. */
  const restart = (next: Row) => {
    setIsValueLeft(false);
    onChange(next);
  };
  const setPath = (path: string) => {
    const op = operatorsOf(path).includes(row.op) ? row.op : firstOperator(path);
    const isSameType =
      typeOf(path).is === typeOf(row.path).is && typeOf(path).is !== 'word' && isShare(path) === isShare(row.path);
    restart({ path, op, value: isSameType && op === row.op ? row.value : startOf(path, op) });
  };
  return (
    <Group gap="xs" align="flex-start">
      <Autocomplete
        aria-label="Value that is read"
        flex={2}
        miw={200}
        data={[...NAMED_PATHS.keys()]}
        placeholder="A value of the list, or attributes.plan"
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
            <Text size="xs" c="dimmed">
              {NAMED_PATHS.get(option.value)}
            </Text>
          </div>
        )}
        limit={60}
      />
      <Select
        aria-label="Operator"
        w={130}
        data={operators.map((value) => ({ value, label: operatorText(value) }))}
        value={row.op}
        allowDeselect={false}
        onChange={(op) => op !== null && restart({ ...row, op, value: startOf(row.path, op) })}
      />
      <ValueInput
        row={row}
        fault={isValueLeft || isSent ? faults.value : null}
        onChange={(value) => onChange({ ...row, value })}
        onLeave={() => setIsValueLeft(true)}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        mt={4}
        aria-label="Remove the condition"
        disabled={onRemove === null}
        onClick={() => onRemove?.()}
      >
        <Icon name="cross" size={14} />
      </ActionIcon>
    </Group>
  );
}

const YES_NO = [
  { value: 'true', label: 'yes' },
  { value: 'false', label: 'no' },
];

/** What a text stands for where the type is not known: `5` is a number, `true` a truth. */
function guessed(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

/** Without what the binary form of a number adds: 0.07 × 100 is 7. */
const exact = (number: number): number => Number(number.toPrecision(12));

/** A number as a tag has it: `0,3`, or `30 %` of a share. */
function numberOf(path: string, text: string): number {
  const number = Number(text.replace(',', '.').replace(/\s*%$/, ''));
  return isShare(path) ? exact(number / 100) : number;
}

interface ValueInputProps {
  readonly row: Row;
  /** As it is shown; null means none. */
  readonly fault: string | null;
  readonly onChange: (value: unknown) => void;
  readonly onLeave: () => void;
}

function ValueInput({ row: { path, op, value }, fault, onChange, onLeave }: ValueInputProps) {
  const type = typeOf(path);
  const common = { 'aria-label': 'Value', flex: 2, miw: 160, error: fault, onBlur: onLeave } as const;
  if (op === 'exists' || type.is === 'boolean')
    return (
      <Select
        {...common}
        data={YES_NO}
        value={String(value)}
        allowDeselect={false}
        onChange={(next) => onChange(next === 'true')}
      />
    );
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
        // The comma of a number is a decimal one.
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
        allowDeselect={false}
        searchable
        onChange={onChange}
      />
    );
  if (isShare(path))
    return (
      <NumberField
        {...common}
        suffix=" %"
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
