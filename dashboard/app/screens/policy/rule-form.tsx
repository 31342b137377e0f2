import { Button, Group, MultiSelect, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { PolicyRule } from '../../api/schema.ts';
import { DECISIONS } from '../../lib/order.ts';
import { EVENTS, label } from '../../lib/vocabulary.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import { Small, Strong } from '../../parts/text.tsx';
import { ConditionGroup } from './condition-editor.tsx';
import { isComplete } from './conditions.ts';
import { PlaceSelect } from './place-select.tsx';
import { placeFor } from './switches.ts';
import { conditionText } from './words.ts';

const EXPERIMENT = { weight: 20, min_sample: 400 };
const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

interface RuleFormProps {
  readonly rule: PolicyRule;
  readonly isNew: boolean;
  /** The other rules in order. */
  readonly others: readonly PolicyRule[];
  /** `place` is set for a new rule only. */
  readonly onKeep: (rule: PolicyRule, place: number) => void;
  readonly onClose: () => void;
}

/** Form of a rule. The service checks what the form can't. */
export function RuleForm({ rule, isNew, others, onKeep, onClose }: RuleFormProps) {
  const [when, setWhen] = useState(rule.when);
  /** Null until chosen; until then it follows the decision. */
  const [chosenPlace, setPlace] = useState<number | null>(null);
  const [experiment, setExperiment] = useState(rule.experiment ?? null);
  const [isSent, setIsSent] = useState(false);
  const form = useForm({
    initialValues: {
      id: rule.id,
      description: rule.description ?? '',
      decision: rule.decision,
      flow: rule.flow ?? '',
    },
    validateInputOnBlur: true,
    validate: {
      id: (id) =>
        others.some((other) => other.id === id)
          ? 'Another rule has this id'
          : ID.test(id) && id !== 'default'
            ? null
            : '1 to 64 letters, digits, _, - or ., and not “default”',
      flow: (flow, { decision }) => (decision === 'allow_with_flow' && flow.trim() === '' ? 'Name the flow' : null),
    },
  });
  const { decision } = form.values;
  const place = chosenPlace ?? placeFor(others, decision);
  const experimentFault = experiment === null || ID.test(experiment.id) ? null : '1 to 64 letters, digits, _, - or .';
  const keep = ({ id, description, flow }: typeof form.values) =>
    onKeep(
      {
        id,
        ...(description.trim() !== '' && { description: description.trim() }),
        when,
        decision,
        ...(decision === 'allow_with_flow' && { flow: flow.trim() }),
        ...(experiment !== null && { experiment }),
      },
      place,
    );
  return (
    <Dialog opened onClose={onClose} size="xl" title={isNew ? 'New rule' : 'Edit rule'}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          flushSync(() => {
            setIsSent(true);
            form.validate();
          });
          if (form.isValid() && isComplete(when) && experimentFault === null) keep(form.getValues());
          else event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
        }}
      >
        <Stack>
          <div>
            <Strong mb={4}>When</Strong>
            <ConditionGroup when={when} isSent={isSent} onChange={setWhen} />
          </div>
          <Group align="flex-start" grow preventGrowOverflow={false}>
            <Select
              label="Decision"
              data={DECISIONS.map((value) => ({ value, label: label(value) }))}
              value={decision}
              onChange={(value) => value !== null && form.setFieldValue('decision', value)}
            />
            {decision === 'allow_with_flow' && (
              <TextInput
                label="Flow"
                description="Returned with the decision"
                maxLength={100}
                {...form.getInputProps('flow')}
              />
            )}
          </Group>
          <Group align="flex-start" grow preventGrowOverflow={false}>
            <TextInput label="Id" maxLength={64} {...form.getInputProps('id')} />
            <TextInput
              label="Reason (optional)"
              placeholder="Returned with the decision"
              maxLength={500}
              {...form.getInputProps('description')}
            />
          </Group>
          {isNew && <PlaceSelect others={others.map(({ id }) => id)} place={place} onChange={setPlace} />}
          <Switch
            label="Run as an experiment"
            description="Only a share of the matching addresses gets the decision."
            checked={experiment !== null}
            onChange={({ currentTarget: { checked } }) =>
              setExperiment(checked ? { id: form.getValues().id, ...EXPERIMENT } : null)
            }
          />
          {experiment !== null && (
            <Group align="flex-start" grow preventGrowOverflow={false}>
              <TextInput
                label="Experiment name"
                error={isSent && experimentFault}
                value={experiment.id}
                onChange={(event) => setExperiment({ ...experiment, id: event.currentTarget.value })}
              />
              <NumberField
                label="Share"
                suffix="%"
                min={1}
                max={100}
                allowDecimal={false}
                value={experiment.weight}
                onChange={(weight) => setExperiment({ ...experiment, weight })}
              />
              <NumberField
                label="Addresses per arm"
                min={1}
                allowDecimal={false}
                value={experiment.min_sample}
                onChange={(minSample) => setExperiment({ ...experiment, min_sample: minSample })}
              />
              <MultiSelect
                label="Guardrails"
                data={EVENTS.map((value) => ({ value, label: label(value) }))}
                value={experiment.guardrails ?? []}
                onChange={(guardrails) => setExperiment({ ...experiment, guardrails })}
              />
            </Group>
          )}
          <Group justify="space-between">
            <Small flex={1}>{isComplete(when) && `When ${conditionText(when)}.`}</Small>
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit">{isNew ? 'Add rule' : 'Apply'}</Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
